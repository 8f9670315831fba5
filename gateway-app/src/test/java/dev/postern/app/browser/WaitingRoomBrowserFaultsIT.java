package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.openqa.selenium.support.ui.ExpectedConditions.titleIs;

import dev.postern.core.testing.FrozenRelay;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import dev.postern.core.testing.TestOrigin.Received;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Tests that a visitor is admitted, or told why not, whatever the browser does: cookies, hidden and frozen pages, tabs, addresses. */
@Tag("browser")
class WaitingRoomBrowserFaultsIT {

    @RegisterExtension
    static final BrowserExtension BROWSER = new BrowserExtension();

    static final List<Named<Consumer<Visit>>> QUICK = List.of(
            way("the network is away when the turn comes", visit -> {
                Browser browser = visit.browser();
                browser.offline(true);
                browser.await(driver -> browser.element("trouble").isDisplayed());
                visit.turnComes();
                browser.offline(false);
            }),
            way("the page is frozen when the turn comes", visit -> {
                visit.browser().frozen(true);
                visit.turnComes();
                visit.browser().frozen(false);
            }));

    static final List<Named<Consumer<Visit>>> OTHERS = List.of(
            way("the window is hidden when the turn comes", visit -> {
                Browser browser = visit.browser();
                browser.minimized(true);
                browser.await(driver -> Boolean.TRUE.equals(browser.run("return document.hidden")));
                visit.turnComes();
                visit.expectEntry();
                browser.minimized(false);
            }),
            way("two tabs wait", visit -> {
                String first = visit.browser().openTab();
                visit.begin();
                visit.turnComes();
                visit.expectEntry();
                visit.browser().closeTab(first);
            }),
            way("the visitor was on another page and came back", visit -> {
                visit.browser().open(visit.network().url("/form"));
                visit.browser().back();
                visit.expectFirst();
                visit.turnComes();
            }),
            way("all connections are lost", visit -> {
                visit.network().closeConnections();
                visit.turnComes();
            }),
            way("the address changes", visit -> {
                visit.network()
                        .changeRequests(head -> head.replaceFirst("\r\n", "\r\nX-Forwarded-For: 198.51.100.7\r\n"));
                visit.turnComes();
            }),
            way("the cookie is deleted", visit -> {
                visit.browser().deleteCookies();
                visit.turnComes();
            }),
            way("the cookie is overwritten", visit -> {
                visit.browser().overwriteCookies("x");
                visit.turnComes();
            }));

    private static final String STATE = "return document.getElementById('room').dataset.state";

    /** Properties of window that old or strict browsers lack. */
    static final List<Named<String>> WITHOUT = List.of(
            named("event streams", "delete window.EventSource"),
            named("aborting requests", "delete window.EventSource; delete window.AbortController"),
            named("requests by scripts", "delete window.EventSource; delete window.fetch"),
            named(
                    "storage",
                    "Object.defineProperty(window, 'sessionStorage', {get() { throw new Error('forbidden'); }})"));

    /** The events of one return, all within the pause that the page leaves for them: its timer is held until the last event. */
    private static final String RETURN = """
            const [set, clear] = [window.setTimeout, window.clearTimeout];
            const held = new Map();
            window.setTimeout = next => { held.set(held.size + 1, next); return -held.size; };
            window.clearTimeout = timer => held.delete(-timer) || clear(timer);
            document.dispatchEvent(new Event('resume'));
            document.dispatchEvent(new Event('visibilitychange'));
            dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}));
            [window.setTimeout, window.clearTimeout] = [set, clear];
            held.forEach(next => next());
            """;

    private final FullWaitingRoom room = new FullWaitingRoom("absence: 4s, bind: [agent]");

    @TempDir
    private Path folder;

    private static Named<Consumer<Visit>> way(String name, Consumer<Visit> what) {
        return named(name, what);
    }

    @AfterEach
    void close() {
        room.close();
    }

    private Visit visit(FullWaitingRoom of) {
        return new Visit(BROWSER.browser(), of, List.of());
    }

    @ParameterizedTest
    @FieldSource("QUICK")
    void entersThough(Consumer<Visit> what) {
        enters(what);
    }

    @ParameterizedTest
    @Tag("long")
    @FieldSource("OTHERS")
    void entersAlsoThough(Consumer<Visit> what) {
        enters(what);
    }

    private void enters(Consumer<Visit> what) {
        try (Visit visit = visit(room)) {
            visit.begin();
            visit.awaitScript();
            what.accept(visit);
            visit.expectEntry();
        }
    }

    /** The browser of a driver keeps no page that was left, so the events that others send are sent here. */
    @Test
    void continuesWithOnePollWhenTheButtonBackShowsThePageAgain() {
        try (Visit visit = visit(room)) {
            visit.begin();
            visit.awaitScript();
            send("pagehide");
            awaitState("resting");
            List<Received> received = visit.network().received();
            int before = received.size();
            BROWSER.browser().run(RETURN);
            awaitState("listening");
            visit.expectFirst();
            assertThat(received.subList(before, received.size()).stream().filter(RefusingBalancer::poll))
                    .hasSize(1);

            visit.turnComes();
            visit.expectEntry();
        }
    }

    @Test
    @Tag("long")
    void entersWithAPassThatAnotherTabGotWhenTheButtonBackShowsThePageAgain() {
        Browser browser = BROWSER.browser();
        try (Visit visit = visit(room)) {
            visit.begin();
            send("pagehide");
            visit.turnComes();
            String first = browser.openTab();
            browser.open(visit.network().url("/cake"));
            browser.await(titleIs(FullWaitingRoom.SHOP));
            browser.closeTab(first);
            send("pageshow");
            visit.expectEntry();
        }
    }

    @Test
    void aPageThatStoppedIsStillStoppedWhenTheButtonBackShowsItAgain() {
        try (Visit visit = visit(room)) {
            visit.network().changeResponses(head -> head.replaceAll("(?i)\r\nSet-Cookie: [^\r]*", ""));
            visit.open();
            awaitState("stopped");
            assertThat(BROWSER.browser().run(shown("pagehide") + shown("pageshow") + STATE))
                    .isEqualTo("stopped");
            assertThat(BROWSER.browser().text("room"))
                    .contains("Your place cannot be kept")
                    .doesNotContain("You are in line");
        }
    }

    /** Sends an event of a page that the browser keeps. */
    private static void send(String event) {
        BROWSER.browser().run(shown(event));
    }

    private static String shown(String event) {
        return "dispatchEvent(new PageTransitionEvent('" + event + "', {persisted: true}));";
    }

    private static void awaitState(String state) {
        Browser browser = BROWSER.browser();
        browser.await(driver -> state.equals(browser.run(STATE)));
    }

    @Test
    @Tag("long")
    void entersThoughTheGatewayIsReplacedByOneWithOtherKeys() {
        try (FullWaitingRoom other = new FullWaitingRoom()) {
            enters(visit -> {
                visit.network().leadTo(other.port());
                other.inside().leave();
            });
        }
    }

    @ParameterizedTest
    @Tag("long")
    @FieldSource("WITHOUT")
    void entersWithout(String script) {
        String missing = BROWSER.browser().beforePages(script);
        try {
            enters(Visit::turnComes);
        } finally {
            BROWSER.browser().forget(missing);
        }
    }

    @Test
    void aBrowserWithoutCookiesIsToldAndTakesOnePlace() {
        try (FullWaitingRoom patient = new FullWaitingRoom();
                Browser strict = Browser.withoutCookies();
                Visit visit = new Visit(strict, patient, List.of())) {
            visit.open();
            strict.await(driver -> strict.element("cookies").isDisplayed());

            assertThat(strict.text("room"))
                    .contains("Your place cannot be kept", "Allow cookies for this site", "Check again")
                    .doesNotContain("You are in line");
            assertThat(patient.places()).isEqualTo(1);
        }
    }

    @Test
    @Tag("long")
    void cookiesThatAProxyRemovesAreToldToo() {
        try (FullWaitingRoom patient = new FullWaitingRoom();
                Visit visit = visit(patient)) {
            visit.network().changeResponses(head -> head.replaceAll("(?i)\r\nSet-Cookie: [^\r]*", ""));
            visit.open();
            Browser browser = visit.browser();
            browser.await(driver -> browser.element("cookies").isDisplayed());

            assertThat(patient.places()).isEqualTo(1);
        }
    }

    @Test
    void aFrameWithoutCookiesLeadsToTheSite() {
        Browser browser = BROWSER.browser();
        try (FullWaitingRoom patient = new FullWaitingRoom(
                        "absence: 5m, page: {frame-ancestors: \"http://" + Browser.OTHER_SITE + ":*\"}");
                TestOrigin partner = partner("width=600 height=700 src=" + patient.url("/bread"))) {
            browser.open("http://" + partner.address() + "/");
            browser.useFrame(true);
            browser.await(driver -> browser.element("framed").isDisplayed());
            assertThat(browser.text("framed")).startsWith("Inside another page");
            assertThat(browser.element("again").isDisplayed()).isFalse();
            assertThat(patient.places()).isZero();

            browser.leaveFrame("open");
            browser.await(titleIs("You are in line"));
            assertThat(browser.url()).isEqualTo(patient.url("/bread"));
            assertThat(browser.element("place").isDisplayed()).isTrue();
        }
    }

    @Test
    @Tag("long")
    void noOtherSiteShowsThePageInAFrameByDefault() {
        try (TestOrigin partner = partner("src=" + room.url("/bread"))) {
            BROWSER.browser().open("http://" + partner.address() + "/");

            Awaitility.await()
                    .until(() -> BROWSER.browser().console().stream()
                            .anyMatch(line -> line.contains("frame-ancestors 'none'")));
        }
    }

    /** Returns another site whose page has a frame with these attributes. */
    private static TestOrigin partner(String frame) {
        TestOrigin partner = new TestOrigin(Browser.OTHER_SITE, 0);
        String page = "<title>Partner</title><iframe " + frame + "></iframe>";
        partner.behave(Behaviour.raw(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + page.length() + "\r\n\r\n" + page));
        return partner;
    }

    @Test
    @Tag("long")
    void entersThoughItsHttp2ConnectionFallsSilent() {
        TestCertificate.ec(folder, "site", "ip:127.0.0.1");
        String tls = "  - {name: tls, address: \"127.0.0.1:0\", congestion-control: reno,"
                + " tls: {certificates: [{certificate-file: site.crt, private-key-file: site.key}]}}";
        Browser browser = BROWSER.browser();
        try (FullWaitingRoom secure = new FullWaitingRoom("absence: 5m", tls, folder);
                FrozenRelay relay = new FrozenRelay("127.0.0.1:" + secure.tlsPort())) {
            browser.open("https://127.0.0.1:" + relay.port() + "/bread");
            browser.awaitText("position", "1");
            assertThat(browser.run("return performance.getEntriesByType('navigation')[0].nextHopProtocol"))
                    .isEqualTo("h2");
            browser.await(
                    driver -> "listening".equals(browser.run("return document.getElementById('room').dataset.state")));
            relay.freeze();
            secure.inside().leave();

            browser.await(titleIs(FullWaitingRoom.SHOP));
            assertThat(relay.accepted()).as("connections").isGreaterThan(1);
        }
    }
}
