package dev.postern.app.browser;

import static dev.postern.app.browser.NetworkFault.Requests.ALL;
import static dev.postern.app.browser.NetworkFault.Requests.CHECKS;
import static dev.postern.app.browser.NetworkFault.Requests.POLLS;
import static dev.postern.app.browser.NetworkFault.Requests.STATUS;
import static dev.postern.app.browser.NetworkFault.Requests.STREAMS;
import static dev.postern.app.browser.NetworkFault.answer;
import static dev.postern.app.browser.NetworkFault.cut;
import static dev.postern.app.browser.NetworkFault.events;
import static dev.postern.app.browser.NetworkFault.page;
import static dev.postern.app.browser.NetworkFault.redirect;
import static dev.postern.app.browser.NetworkFault.reset;
import static dev.postern.app.browser.NetworkFault.silent;
import static dev.postern.app.browser.NetworkFault.stalled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Tests that a visitor is admitted though the network fails: streams, polls, the whole status path, or everything for a while. */
@Tag("browser")
class WaitingRoomNetworkFaultsIT {

    private static final String EVENT =
            "data: {\"state\":\"waiting\",\"position\":1,\"estimate\":0,\"retry-after\":1}\n\n";
    private static final String HTML = "text/html";
    private static final String JSON = "application/json";
    private static final String LOGIN = "http://" + Browser.OTHER_SITE + ":1/login";

    static final List<Named<List<NetworkFault>>> QUICK = List.of(
            way("the stream is reset once", STREAMS.first(1, reset())),
            way("streams are always refused, polls at first", STREAMS.always(page(503)), POLLS.first(2, page(503))),
            way("streams are a page of another system", STREAMS.always(page(200))),
            way("streams are broken off within an event", STREAMS.first(2, cut(events(EVENT.substring(0, 30))))),
            way("streams hold no JSON", STREAMS.always(cut(events("data: hello\n\n")))),
            way(
                    "polls are cut off at first",
                    STREAMS.always(page(404)),
                    POLLS.first(1, cut("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"state\":"))),
            way("the status path is a page of another system", STATUS.always(page(404))));

    static final List<Named<List<NetworkFault>>> OTHERS = List.of(
            way("streams send no event", STREAMS.always(stalled(events("")))),
            way("streams send one event", STREAMS.always(stalled(events(EVENT)))),
            way("streams send comments only", STREAMS.always(stalled(events(": hello\n\n")))),
            way("streams do not respond", STREAMS.always(silent())),
            way("streams are empty", STREAMS.always(answer(204, HTML, ""))),
            way("streams end at once", STREAMS.always(cut(events("")))),
            way("streams lead to a login", STREAMS.always(redirect(LOGIN))),
            way("streams hold JSON of another system", STREAMS.always(cut(events("data: {\"state\":7}\n\n")))),
            way(
                    "polls are limited by another system",
                    STREAMS.always(page(429)),
                    POLLS.first(2, answer(429, JSON, "{}", "Retry-After: 1\r\n"))),
            way("polls are a page at first", STREAMS.always(page(200)), POLLS.first(2, page(200))),
            way("polls lead to a login at first", STREAMS.always(redirect(LOGIN)), POLLS.first(2, redirect(LOGIN))),
            way("polls are forbidden at first", STREAMS.always(page(403)), POLLS.first(2, answer(403, JSON, "null"))),
            way("polls do not respond at first", STREAMS.always(page(503)), POLLS.first(1, silent())),
            way(
                    "polls stop within the response at first",
                    STREAMS.always(page(503)),
                    POLLS.first(1, stalled("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"))),
            way("polls are reset at first", STREAMS.always(reset()), POLLS.first(2, reset())),
            way(
                    "polls hold JSON of another system at first",
                    STREAMS.always(page(503)),
                    POLLS.first(2, answer(200, JSON, "{\"state\":\"ok\"}"))),
            way(
                    "the room is gone",
                    STREAMS.always(page(404)),
                    POLLS.always(answer(404, "application/problem+json", "{\"code\":\"route-not-found\"}"))),
            way("the status path is the start page of an application", STATUS.always(page(200))),
            way("the status path leads to a login", STATUS.always(redirect(LOGIN))),
            way("the status path is down", STATUS.always(page(503))),
            way("the status path is reset", STATUS.always(reset())),
            way("the status path does not respond", STATUS.always(silent())),
            way("everything is reset for a while", ALL.first(6, reset())),
            way("everything is limited for a while", ALL.first(6, answer(429, HTML, "", "Retry-After: 1\r\n"))));

    /** Responses of other systems to the question of the page whether its own address leads to the room or the site. */
    static final List<Named<Behaviour>> OTHER_SYSTEMS = List.of(
            named("200 of a login", answer(200, HTML, "")),
            named(
                    "302 to a login of another host",
                    (request, socket) -> redirect("http://" + WaitingRoomNetworkFaultsIT.LOGIN_HOST.address() + "/")
                            .response(request, socket)));

    static final List<Named<Behaviour>> MORE_SYSTEMS = List.of(
            named("403", answer(403, HTML, "")),
            named("404", answer(404, HTML, "")),
            named("500", answer(500, HTML, "")),
            named(
                    "302 to a login of the same host",
                    (request, socket) -> (request.line().contains("/login")
                                    ? answer(200, HTML, "")
                                    : redirect("/login"))
                            .response(request, socket)));

    /** Divides times by ten, except that after which a response is late. */
    private static final String FAST =
            "const wait = window.setTimeout; window.setTimeout = (what, delay) => wait(what, delay === 5000 ? delay : delay / 10)";

    private static final TestOrigin LOGIN_HOST = new TestOrigin(Browser.OTHER_SITE, 0);

    @RegisterExtension
    static final BrowserExtension BROWSER = new BrowserExtension();

    private final FullWaitingRoom room = new FullWaitingRoom();

    private static Named<List<NetworkFault>> way(String name, NetworkFault... faults) {
        return named(name, List.of(faults));
    }

    @AfterAll
    static void closeLogin() {
        LOGIN_HOST.close();
    }

    @AfterEach
    void close() {
        room.close();
    }

    private Visit visit(List<NetworkFault> faults) {
        return new Visit(BROWSER.browser(), room, faults);
    }

    @ParameterizedTest
    @FieldSource("QUICK")
    void entersThough(List<NetworkFault> faults) {
        enters(faults);
    }

    @ParameterizedTest
    @Tag("long")
    @FieldSource("OTHERS")
    void entersAlsoThough(List<NetworkFault> faults) {
        enters(faults);
    }

    private void enters(List<NetworkFault> faults) {
        try (Visit visit = visit(faults)) {
            visit.begin();
            Awaitility.await().until(() -> faults.stream().allMatch(NetworkFault::shown));
            visit.turnComes();
            visit.expectEntry();
            assertThat(room.places()).as("unused places").isZero();
        }
    }

    @Test
    void saysThatTheConnectionIsInterruptedAndKeepsThePage() {
        Browser browser = BROWSER.browser();
        NetworkFault fault = ALL.always(page(502));
        try (Visit visit = visit(List.of(fault))) {
            visit.begin();
            browser.run("window.untouched = true");
            browser.await(driver -> browser.element("trouble").isDisplayed());
            assertThat(browser.text("trouble")).startsWith("The connection is interrupted.");
            fault.end();
            browser.await(driver -> !browser.element("trouble").isDisplayed());
            assertThat(browser.run("return window.untouched"))
                    .as("an error page of another system did not replace the page")
                    .isEqualTo(true);

            visit.turnComes();
            visit.expectEntry();
        }
    }

    @ParameterizedTest
    @FieldSource("OTHER_SYSTEMS")
    void isNotReplacedByAPageOfAnotherSystem(Behaviour other) {
        isNotReplaced(other);
    }

    @ParameterizedTest
    @Tag("long")
    @FieldSource("MORE_SYSTEMS")
    void isNotReplacedByOtherPagesOfAnotherSystem(Behaviour other) {
        isNotReplaced(other);
    }

    private void isNotReplaced(Behaviour other) {
        Browser browser = BROWSER.browser();
        NetworkFault check = CHECKS.always(other);
        String fast = browser.beforePages(FAST);
        try (Visit visit = visit(List.of(STATUS.always(page(503)), check))) {
            visit.begin();
            browser.run("window.untouched = true");
            Awaitility.await().until(() -> visit.checks() > 1);
            assertThat(browser.run("return window.untouched")).isEqualTo(true);
            assertThat(browser.text("position")).isEqualTo("1");
            assertThat(browser.text("room")).contains("The connection is interrupted.", "Check again");

            visit.turnComes();
            check.end();
            visit.expectEntry();
        } finally {
            browser.forget(fast);
        }
    }

    @Test
    @Tag("long")
    void entersWithAPassThatAnotherTabGotThoughTheStatusPathIsAway() {
        Browser browser = BROWSER.browser();
        NetworkFault check = CHECKS.always(page(503));
        String fast = browser.beforePages(FAST);
        try (Visit visit = visit(List.of(STATUS.always(page(503)), check))) {
            visit.begin();
            visit.turnComes();
            String waiting = browser.openTab();
            browser.await(driver -> {
                visit.open();
                return FullWaitingRoom.SHOP.equals(browser.title());
            });
            browser.run("fetch('" + RoomClient.STAY + "')"); // so that the pass lasts
            Awaitility.await()
                    .until(() -> room.received().stream().anyMatch(line -> line.contains(RoomClient.STAY + " ")));
            check.end();
            String shop = browser.tab();
            browser.use(waiting);
            visit.expectEntry();
            browser.use(shop);
            browser.closeTab(waiting);
        } finally {
            browser.forget(fast);
        }
    }

    @Test
    @Tag("long")
    void aPageThatACacheRepeatsIsNotLoadedWithoutEnd() {
        Browser browser = BROWSER.browser();
        NetworkFault repeated = STATUS.always(
                answer(200, JSON, "{\"state\":\"admitted\",\"position\":0,\"estimate\":0,\"retry-after\":1}"));
        String recording = browser.beforePages(
                "const wait = window.setTimeout; window.setTimeout = (what, delay) => {"
                        + " sessionStorage.setItem('delays', (sessionStorage.getItem('delays') || ',') + delay + ','); return wait(what, delay); }");
        try (Visit visit = visit(List.of(repeated))) {
            visit.open();
            visit.awaitLoads(4);
            assertThat(browser.run("return sessionStorage.getItem('delays')"))
                    .as("milliseconds before reloads")
                    .asString()
                    .contains(",0,", ",5000,", ",10000,");
        } finally {
            browser.forget(recording);
        }
    }
}
