package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.openqa.selenium.support.ui.ExpectedConditions.textToBe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** Tests the live page of a busy gateway, visually, for screen readers, and with the keyboard only. */
@Tag("browser")
@Tag("long")
class LivePageIT {

    private static final String CELLS = """
            return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map(row => [...row.cells].map(cell => cell.textContent).join(' | '));
            """;

    private static final boolean WRITE = Boolean.getBoolean("docs.write");

    @TempDir
    private static Path folder;

    private static BusyGateway gateway;
    private static Browser browser;

    @BeforeAll
    static void open() throws IOException {
        gateway = new BusyGateway(folder);
        browser = Browser.withScript();
        for (int i = 0; i < 5; i++) {
            gateway.come();
        }
        gateway.serve();
        gateway.pass();
    }

    @AfterAll
    static void close() {
        browser.close();
        gateway.close();
    }

    /** Opens the page and waits for its first values. */
    private static void show(String scheme, int width) {
        browser.prefer(scheme, "no-preference").size(width, 900, 1);
        browser.open(gateway.url());
        browser.await(textToBe(By.id("stream"), "Live, every second"));
    }

    @SuppressWarnings("unchecked")
    private static List<String> cells(String table) {
        return (List<String>) Objects.requireNonNull(browser.run(CELLS, table));
    }

    private static String rounded(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    /** Returns the expected beginnings of rows, from /metrics. */
    private static List<String> refusals() {
        List<String> rows = new ArrayList<>();
        for (String code : List.of(
                "token-required/client",
                "waiting/client",
                "credentials-malformed/client",
                "route-not-found/client",
                "upstream-refused/upstream")) {
            String[] words = code.split("/");
            double count =
                    gateway.metric("postern_refusals_total", "code=\"" + words[0] + '"', "blame=\"" + words[1] + '"');
            assertThat(count).as(code).isPositive();
            rows.add(words[0] + " | " + words[1] + " | " + rounded(count) + " | ");
        }
        return rows;
    }

    @Test
    void showsTheValuesOfTheMeters() {
        show("light", 1280);
        gateway.serve();

        await().untilAsserted(() -> {
            assertThat(refusals())
                    .allSatisfy(row -> assertThat(cells("#refusals")).anyMatch(cell -> cell.startsWith(row)));
            for (String result : List.of("fresh", "spent", "unknown")) {
                assertThat(cells("#spends"))
                        .anyMatch(row -> row.startsWith(result + " | "
                                + rounded(gateway.metric("postern_spend_seconds_count", "result=\"" + result + '"'))
                                + " | "));
            }
            assertThat(cells("#spends"))
                    .anyMatch(row -> row.startsWith("replayed | "
                            + rounded(gateway.metric("postern_token_verify_seconds_count", "result=\"spent\""))
                            + " | "));
            for (String outcome : List.of("complete", "refused")) {
                assertThat(cells("#outcomes"))
                        .anyMatch(row -> row.startsWith(outcome + " | "
                                + rounded(gateway.metric("postern_exchanges_total", "outcome=\"" + outcome + '"'))
                                + " | "));
            }
            assertThat(browser.text("tile-rate")).matches("[0-9.,]+ per s");
            assertThat(browser.text("tiles"))
                    .contains(rounded(gateway.metric("postern_exchanges_total")) + " since start");
        });
    }

    @Test
    void showsTimesOfEveryStage() {
        show("light", 1280);
        gateway.serve();

        await().untilAsserted(() -> {
            List<String> rows = cells("#stages");
            assertThat(rows).hasSize(10);
            assertThat(rows.get(0)).startsWith("receive | client | ");
            assertThat(rows.get(9)).startsWith("send | transfer | ");
            for (String stage : List.of("match", "spend", "respond")) {
                double count = gateway.metric("postern_exchange_stage_seconds_count", "stage=\"" + stage + '"');
                assertThat(rows)
                        .anySatisfy(row -> assertThat(row)
                                .startsWith(stage + " | ")
                                .matches(".*[0-9] (µs|ms|s) \\| [0-9.]+ (µs|ms|s) \\| " + rounded(count)));
            }
        });
    }

    @Test
    void showsWaitingRoomsAndUpstreams() {
        show("light", 1280);

        await().untilAsserted(() -> {
            assertThat(cells("#rooms > .wide"))
                    .anyMatch(row -> row.startsWith("each | – | – | – | "))
                    .anyMatch(row -> row.startsWith("tickets | 2 | 2 | 2 | "));
            assertThat(cells("#busiest")).containsExactly("tickets | open | 2 | 2");
            List<String> upstreams = cells("#upstreams");
            assertThat(upstreams).hasSize(2);
            String shop = upstreams.stream()
                    .filter(row -> row.startsWith("shop | usable | 1 of 1 | "))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(upstreams + " (expected: shop among them)"));
            double shown = Double.parseDouble(shop.replaceAll(".*\\| ([0-9.]+) %$", "$1")) / 100;
            assertThat(shown).isPositive().isCloseTo(reusedByShop(), within(0.001));
        });
    }

    @Test
    void doesNotDelayClientsWithAPass() {
        show("light", 1280);
        gateway.stay(); // a pass is cached for a while only, and this one is now
        gateway.stay();
        double known = gateway.metric("postern_room_decisions_total", "limit=\"tickets\"", "decision=\"held\"");
        double admitted = gateway.metric("postern_room_decisions_total", "limit=\"tickets\"", "decision=\"admitted\"");
        assertThat(known).as("passes that were known without a request").isPositive();

        await().untilAsserted(() -> assertThat(cells("#rooms > .wide"))
                .anySatisfy(row -> assertThat(row.split(" \\| "))
                        .startsWith("tickets", "2", "2", "2")
                        .satisfies(cells -> {
                            assertThat(cells[5]).isEqualTo(rounded(admitted + known));
                            assertThat(cells[7]).isEqualTo("2");
                        })));
    }

    private static double reusedByShop() {
        return gateway.metric("postern_upstream_reuse_total", "upstream=\"shop\"")
                / gateway.metric("postern_upstream_requests_total", "upstream=\"shop\"");
    }

    @Test
    void tablesAreTablesForScreenReaders() {
        show("light", 360);

        assertThat(browser.run("""
                return [...document.querySelectorAll('tbody tr')].filter(row => row.getAttribute('role') !== 'row'
                    || [...row.cells].some((cell, at) => cell.getAttribute('role') !== (at ? 'cell' : 'rowheader'))).length
                """)).isEqualTo(0L);
        assertThat(browser.run("return document.querySelectorAll('tbody tr').length"))
                .isNotEqualTo(0L);
    }

    @Test
    void showsDriftsFirstWithARemedy() {
        show("light", 1280);

        await().untilAsserted(() -> {
            assertThat(browser.text("attention")).contains("Not as wanted: ", "What to do");
            assertThat(browser.text("drifts")).contains("congestion-control", "found", "reno", "wanted", "what to do");
            double drifts = gateway.metric("postern_context_drift");
            assertThat(browser.text("verdict")).startsWith(rounded(drifts) + " of ");
        });
        assertThat(browser.text("ready")).isEqualTo("✓ Ready");
        assertThat(browser.text("about")).startsWith("Version ");
        assertThat(browser.text("parts")).contains("ledger", "✓ healthy", "issuer.example", "1 key");
    }

    @Test
    void showsNoSecrets() {
        gateway.serve();
        show("light", 1280);

        assertThat(String.valueOf(browser.run("return document.documentElement.textContent")))
                .doesNotContain("0123456789abcdef", "token=\"", "/paid", "shop.example");
    }

    @ParameterizedTest
    @CsvSource({"light, 1280", "dark, 1280", "light, 360", "dark, 360"})
    void axeFindsNothing(String scheme, int width) {
        show(scheme, width);
        browser.run("document.querySelectorAll('details').forEach(fold => fold.open = true)");
        browser.element("pause").click(); // the checker compares some elements twice, which must not change in between

        assertThat(new Axe().findings(browser)).isEmpty();
        assertThat(browser.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                .as("no horizontal scrolling")
                .isEqualTo(true);
    }

    @Test
    void allControlsAreReachableByKeyboard() {
        show("light", 1280);
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < 60 && !reached.contains("Take a flame graph"); i++) {
            browser.press(Keys.TAB);
            reached.add(String.valueOf(
                    browser.run("const active = document.activeElement; return active.id || active.textContent")));
            assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle"))
                    .as(reached.get(i))
                    .isEqualTo("solid");
        }

        assertThat(reached.get(0)).isEqualTo("To the figures");
        assertThat(reached)
                .contains("pause", "Now", "shown", "heat", "costs-title", "settings-title", "Take a flame graph");
    }

    @Test
    void theHeatMapIsReadableByKeyboard() {
        show("light", 1280);
        gateway.serve();
        browser.element("heat").sendKeys(Keys.ARROW_DOWN);

        assertThat(browser.text("said")).startsWith("match, ");
        browser.element("heat").sendKeys(Keys.ARROW_UP);
        assertThat(browser.text("said")).startsWith("receive, ");
        browser.element("shown").sendKeys("all times of spend");
        assertThat(browser.text("said")).startsWith("Each cell is a second; the stronger");
        browser.element("heat").sendKeys(Keys.ARROW_DOWN);
        assertThat(browser.text("said")).startsWith("spend, ");
    }

    @Test
    void aPausedPageDoesNotChange() {
        show("light", 1280);
        browser.element("pause").sendKeys(Keys.ENTER);
        assertThat(browser.text("stream")).startsWith("Paused at ");
        List<String> rowsBefore = cells("#outcomes");
        gateway.pass();
        gateway.awaitFrames(3);
        assertThat(cells("#outcomes")).isEqualTo(rowsBefore);

        browser.element("pause").sendKeys(Keys.ENTER);
        await().untilAsserted(() -> assertThat(cells("#outcomes")).isNotEqualTo(rowsBefore));
        assertThat(browser.text("stream")).isEqualTo("Live, every second");
    }

    @Test
    void loadsNothingFromOtherHostsAndNothingFails() {
        browser.requests();
        browser.console();
        show("light", 1280);

        assertThat(browser.requests())
                .contains(gateway.url() + "live")
                .allMatch(url -> url.startsWith(gateway.url()) || url.startsWith("data:image/svg"));
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void hasNoAnimation() {
        show("light", 1280);
        assertThat(browser.run("return document.getAnimations().length")).isEqualTo(0L);
    }

    /** {@code -Ddocs.write=true} writes the pictures, after two minutes of load. */
    @Test
    void picturesOfTheDocsAreSmall() throws IOException {
        show("light", 1360);
        BusyGateway.LoadGenerator load = gateway.startLoad();
        try {
            gateway.awaitFrames(WRITE ? 125 : 3);
            picture("live-light.png", "light");
            picture("live-dark.png", "dark");
        } finally {
            load.close();
        }
    }

    private static void picture(String name, String scheme) throws IOException {
        browser.prefer(scheme, "no-preference").size(1360, 1560, 1);
        gateway.awaitFrames(2);
        byte[] picture = browser.picture();
        assertThat(picture).as(name).hasSizeBetween(10_000, 400_000);
        if (WRITE) {
            Files.write(Path.of("..", "docs", name), picture);
        }
    }
}
