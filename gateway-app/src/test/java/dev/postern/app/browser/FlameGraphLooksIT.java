package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.admin.AdminEndpointTable;
import dev.postern.app.admin.AdminServer;
import dev.postern.app.admin.Probes;
import dev.postern.app.flame.FlamePage;
import dev.postern.app.profile.Frame;
import dev.postern.app.profile.Profile;
import dev.postern.core.testing.ManualClock;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** The page of a flame graph, to who sees it and to who does not, with the keyboard alone. */
@Tag("browser")
class FlameGraphLooksIT {

    private static final Frame LOOP = new Frame(Frame.Kind.THREAD, "postern-loop");
    private static final Frame FORWARD = new Frame(Frame.Kind.JAVA, "dev.postern.core.proxy.ProxyStage.take");
    private static final Frame SEND = new Frame(Frame.Kind.KERNEL, "tcp_sendmsg");
    private static final Frame OTHER = new Frame(Frame.Kind.JAVA, "java.util.ArrayList.add");

    private static AdminServer server;
    private static Browser browser;

    @BeforeAll
    static void open() {
        FlamePage page = new FlamePage(
                (event, length) -> new Profile(
                        event,
                        "a profiler",
                        "Permit more.",
                        Map.of(
                                List.of(LOOP, FORWARD, SEND),
                                600_000_000L,
                                List.of(LOOP, FORWARD, OTHER),
                                400_000_000L)),
                new ManualClock(Instant.EPOCH));
        server = new AdminServer(
                new InetSocketAddress("127.0.0.1", 0),
                List.of(),
                null,
                new AdminEndpointTable(
                        new Probes(
                                () -> CompletableFuture.completedFuture(true),
                                () -> true,
                                () -> false,
                                () -> "",
                                Map.of(),
                                Set.of()),
                        Map.of("/flamegraph", page),
                        Map.of()));
        browser = Browser.withScript();
        show("");
        show("");
    }

    @AfterAll
    static void close() {
        browser.close();
        server.close();
    }

    private static void show(String query) {
        browser.open("http://127.0.0.1:" + server.address().getPort() + "/flamegraph" + query);
    }

    @ParameterizedTest
    @CsvSource({"light, ?id=1", "dark, ?id=1", "light, '?compare=1,2'", "dark, '?compare=1,2'"})
    void axeFindsNothing(String scheme, String query) {
        browser.look(scheme, "no-preference").size(1280, 800, 1);
        show(query);

        assertThat(new Axe().findings(browser)).isEmpty();
    }

    @Test
    void theTableNamesTheStageAndWhatItDid() {
        show("?id=1");

        assertThat(browser.text("loops"))
                .contains("stage share code send worked for it")
                .contains("forward 100.0 % 40.0 % 60.0 % ProxyStage 100.0 %");
        assertThat(browser.text("hint")).isEqualTo("Permit more.");
    }

    @Test
    void theKeyboardFindsAndMoves() {
        show("?id=1");

        browser.press(Keys.DIVIDE);
        browser.element("search").sendKeys("sendmsg");
        assertThat(browser.text("found")).isEqualTo("1 bar, 60.0 %");
        browser.press(Keys.ENTER);
        assertThat(browser.text("status")).isEqualTo("tcp_sendmsg: 60.0 %, 600 ms");
        browser.element("graph").sendKeys(Keys.ARROW_UP);
        assertThat(browser.text("status")).isEqualTo(FORWARD.name() + ": 100.0 %, 1.00 s");
        browser.element("graph").sendKeys(Keys.ARROW_DOWN);
        assertThat(browser.text("status")).startsWith("tcp_sendmsg");
        browser.element("graph").sendKeys(Keys.ARROW_LEFT);
        assertThat(browser.text("status")).startsWith(OTHER.name() + ": 40.0 %");
        browser.press(Keys.ESCAPE);
        assertThat(browser.text("found")).isEmpty();
    }

    @Test
    void nothingIsAskedFromElsewhere() {
        browser.requests();
        show("?compare=1,2");

        assertThat(browser.text("title"))
                .startsWith("Flame graph: graph 2 (cpu, 10 s, 1970-01-01 00:00:00 UTC) against graph 1");
        assertThat(browser.requests())
                .isNotEmpty()
                .allMatch(url ->
                        url.startsWith("http://127.0.0.1:" + server.address().getPort() + "/"));
    }
}
