package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openqa.selenium.support.ui.ExpectedConditions.textToBe;
import static org.openqa.selenium.support.ui.ExpectedConditions.textToBePresentInElementLocated;
import static org.openqa.selenium.support.ui.ExpectedConditions.titleIs;

import dev.postern.app.admin.AdminEndpointTable;
import dev.postern.app.admin.AdminServer;
import dev.postern.app.admin.AdminServers;
import dev.postern.app.admin.HealthSource;
import dev.postern.app.admin.Probes;
import dev.postern.app.live.LiveFeed;
import dev.postern.app.live.LivePage;
import dev.postern.app.live.LiveSource;
import dev.postern.auth.handler.SpendMeters;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import dev.postern.core.pipeline.StageTimes;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.support.ui.ExpectedCondition;

/** Tests the live page without data, during failures, and when the gateway does not respond. */
@Tag("browser")
class LiveStatesIT {

    private static final ExpectedCondition<?> LIVE = textToBe(By.id("stream"), "Live, every second");

    private static Browser browser;

    private final StripedHistogram verifications =
            new StripedHistogram(Meters.TOKEN_VERIFY, List.of(List.of("2", "good"), List.of("2", "spent")));
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicBoolean well = new AtomicBoolean(true);
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Probes probes = new Probes(
            () -> CompletableFuture.completedFuture(true),
            () -> true,
            draining::get,
            () -> "",
            Map.of(
                    "ledger",
                    () -> new HealthSource(well.get(), Map.of("127.0.0.1:11211", well.get() ? "up" : "no response"))),
            Set.of());
    private final LiveFeed feed = new LiveFeed(new LiveSource(
            registry,
            new StageTimes().histogram(),
            new SpendMeters(registry).checks(),
            verifications,
            Map.of(
                    "about",
                    () -> Map.of("version", "1.2.3", "java", "17", "up", 90_061),
                    "health",
                    probes::report,
                    "rooms",
                    () -> Map.of("all", 0, "busiest", List.of()),
                    "context",
                    List::of)));
    // Not a port that connections of other tests may take while this server is closed.
    private AdminServer server = serve(ServerProcess.freePort());

    private AdminServer serve(int port) {
        return AdminServers.open(
                port,
                new AdminEndpointTable(
                        probes, Map.of("/", LivePage.page()), Map.of(), Map.of("/live", feed), Map.of()));
    }

    @BeforeAll
    static void open() {
        browser = Browser.withScript().prefer("light", "no-preference").size(1280, 900, 1);
    }

    @AfterAll
    static void closeBrowser() {
        browser.close();
    }

    @BeforeEach
    void show() {
        browser.open("http://127.0.0.1:" + server.address().getPort() + "/");
        browser.await(LIVE);
    }

    @AfterEach
    void close() {
        server.close();
        feed.close();
    }

    @Test
    void emptySectionsExplainTheirContent() {
        assertThat(browser.text("main"))
                .contains("Nothing was refused. Responses that the gateway gives by itself would stand here")
                .contains("No token was spent.", "No exchange ended yet.")
                .contains("No rate limits are configured.", "No upstreams are configured.", "Not looked at yet.");
        assertThat(browser.text("about")).isEqualTo("Version 1.2.3, Java 17, up 1 d 1 h");
        assertThat(browser.element("attention").isDisplayed()).isFalse();
        assertThat(new Axe().findings(browser)).isEmpty();
    }

    /** Content that only a script can fill must be absent without JavaScript: an empty state would be false. */
    @Test
    void showsNoUnknownValuesWithoutScript() {
        try (Browser scriptless = Browser.withoutScript()) {
            scriptless.open("http://127.0.0.1:" + server.address().getPort() + "/");
            assertThat(scriptless.text("main"))
                    .contains(
                            "The figures are drawn by a script",
                            "Take a flame graph",
                            "What the codes of refusals mean")
                    .doesNotContain("Nothing was refused", "No token", "No exchange", "No rate limits", "No upstreams");
            assertThat(scriptless.element("pause").isDisplayed()).isFalse();
        }
    }

    @Test
    void refusalCodesLinkToTheirExplanation() {
        Meters.REFUSALS.counter(registry, "ledger-unknown", "store", "timeout").increment();
        browser.await(textToBePresentInElementLocated(By.cssSelector("#refusals tbody a"), "ledger-unknown"));
        browser.run("document.querySelector('#refusals tbody a').click()");

        assertThat(browser.url()).endsWith("#code-ledger-unknown");
        assertThat(browser.element("code-ledger-unknown").isDisplayed()).isTrue();
        assertThat(new Axe().findings(browser)).isEmpty();
    }

    /** The ledger is not called for tokens that the cache knows to be spent. */
    @Test
    void replaysDetectedByTheCacheCountAsSpends() {
        EmbeddedChannel channel = new EmbeddedChannel();
        StripedHistogram.OnLoop loop = verifications.on(channel.eventLoop());
        loop.record(0, 1_000, null);
        loop.record(1, 1_000, null);
        loop.record(1, 1_000, null);

        browser.await(textToBePresentInElementLocated(By.cssSelector("#spends tbody"), "replayed 2"));
        assertThat(browser.text("tiles")).contains("0 fresh, 0 spent, 0 unknown, 2 replayed");
        channel.finishAndReleaseAll();
    }

    @Test
    void describesFailures() {
        assertThat(browser.text("ready")).isEqualTo("✓ Ready");
        draining.set(true);
        well.set(false);

        browser.await(titleIs("Postern: not ready"));
        assertThat(browser.text("ready")).isEqualTo("✕ Not ready: it drains");
        assertThat(browser.text("attention")).isEqualTo("Part ledger is unhealthy. Details");
        assertThat(browser.text("parts")).contains("✕ unhealthy", "127.0.0.1:11211", "no response");
        assertThat(browser.element("ready").getDomAttribute("role")).isEqualTo("status");
        assertThat(new Axe().findings(browser)).isEmpty();
    }

    @Test
    void reportsAndResumesABrokenStream() {
        int port = server.address().getPort();
        server.close();

        browser.await(textToBePresentInElementLocated(By.id("stream"), "Connection lost at "));
        assertThat(browser.text("ready")).isEqualTo("? Not known");
        server = serve(port);
        browser.await(LIVE);
        assertThat(browser.text("ready")).isEqualTo("✓ Ready");
    }

    @Test
    void aRefusedViewerConnectsWhenAnotherDisconnects() {
        browser.open("about:blank"); // the page shown so far must not give back a place later
        List<RawClient> others = new ArrayList<>();
        Awaitility.await().until(() -> {
            RawClient other = new RawClient(server.address().getPort());
            others.add(other);
            other.send("POST /live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            if (other.readHead().status() != 200) {
                others.remove(other);
                other.close();
            }
            return others.size() == 8;
        });
        browser.open("http://127.0.0.1:" + server.address().getPort() + "/");
        browser.await(textToBePresentInElementLocated(
                By.id("stream"), "trying again. If as many watch as may, close another of these pages."));

        others.forEach(RawClient::close);
        browser.await(LIVE);
    }

    @Test
    void usesTheBucketsOfTheGateway() {
        assertThat(browser.run("""
                close();
                const other = structuredClone(seen[seen.length - 1]), choices = by('shown').length;
                other.bounds = [1, 2];
                other.stages.forEach(stage => stage.fresh = [0, 4, 0]);
                show(other);
                return [by('stages').tBodies[0].rows[0].cells[2].textContent, seen.length, by('shown').length - choices].join(', ');
                """)).isEqualTo("1.5 s, 1, 0");
    }

    @Test
    void escapesNames() {
        Meters.UPSTREAM_REQUESTS.counter(registry, "<b id=bold>x</b>").increment();

        browser.await(textToBePresentInElementLocated(By.id("upstreams"), "<b id=bold>x</b>"));
    }

    @ParameterizedTest
    @CsvSource({
        "undefined, –",
        "0.000042, 42 µs",
        "0.0000004, 0.40 µs",
        "0.0009994, 999 µs",
        "0.0042, 4.2 ms",
        "0.25, 250 ms",
        "1.5, 1.5 s",
        "120, 120 s"
    })
    void formatsTimesWithASuitableUnit(String seconds, String expected) {
        assertThat(browser.run("return time(" + seconds + ")")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "'[10,0,0,0]', 0.5, 0.5",
        "'[0,10,0,0]', 0.5, 1.5",
        "'[5,0,5,0]', 0.5, 1",
        "'[5,0,5,0]', 0.75, 3",
        "'[0,0,0,7]', 0.99, 4"
    })
    void quantilesLieWithinTheirBuckets(String counts, double quantile, double expected) {
        Object value = browser.run("bounds = [1, 2, 4]; return '' + quantile(" + counts + ", " + quantile + ")");

        assertThat(Double.parseDouble(String.valueOf(value))).isEqualTo(expected);
    }
}
