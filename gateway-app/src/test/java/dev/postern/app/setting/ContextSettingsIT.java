package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the hidden context of a gateway whose settings reduce performance. */
class ContextSettingsIT {

    @TempDir
    private Path folder;

    private static JsonNode item(Site site, String name) {
        JsonNode items =
                JsonMapper.builder().build().readTree(site.admin("/context").body());
        for (JsonNode item : items) {
            if (item.path("item").asString().equals(name)) {
                return item;
            }
        }
        throw new AssertionError(name + " (expected: among " + items + ")");
    }

    private static String text(Site site, String item, String key) {
        return item(site, item).path(key).asString();
    }

    private static boolean drifts(Site site, String item) {
        return site.metrics().contains("postern_context_drift{item=\"" + item + "\"} 1.0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "transport.kind=nio                | transport                        | epoll or io_uring | nio   | transport.kind: auto",
                "transport.tcp-no-delay=false      | transport.tcp-no-delay           | true              | false | transport.tcp-no-delay: true",
                "transport.tcp-no-delay=false      | listener web.tcp-no-delay        | true              | false | transport.tcp-no-delay: true",
                "transport.congestion-control=reno | transport.congestion-control     | bbr               | reno  | transport.congestion-control: bbr",
                "transport.congestion-control=none | transport.congestion-control     | none              | own   | Not loaded",
                "log.level=debug                   | log.level                        | info or less      | debug | log.level: info"
            })
    void reportsSettingsThatReducePerformance(String setting, String item, String wanted, String found, String advice)
            throws IOException {
        String own = Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control"))
                .strip();
        try (Site site = Site.with(setting)) {
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(text(site, item, "wanted")).isEqualTo(wanted);
            assertThat(text(site, item, "verdict")).isEqualTo("drift");
            assertThat(text(site, item, "found")).isEqualTo(found.replace("own", own));
            assertThat(text(site, item, "advice")).contains(advice);
            assertThat(drifts(site, item)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"'{keep-alive: false}', true", "'{requests: 1}', true", "'{requests: 1000}', false"})
    void reportsUpstreamsWithoutConnectionReuse(String pool, boolean drift) {
        try (Site site = Site.with()) {
            assertThat(drifts(site, "upstream app.keep-alive")).isFalse();
            site.reload("upstreams=[{name: app, endpoints: [\"" + site.origin.address() + "\"], pool: " + pool + "}]");
            assertThat(text(site, "upstream app.keep-alive", "verdict")).isEqualTo(drift ? "drift" : "ok");
            assertThat(drifts(site, "upstream app.keep-alive")).isEqualTo(drift);
        }
    }

    @Test
    void expectsTheValuesOfARecordedBaseline() throws IOException {
        Path baseline = folder.resolve("baseline.json");
        try (Site site = Site.with("transport.kind=nio")) {
            assertThat(text(site, "transport", "verdict")).isEqualTo("drift");
            Files.writeString(baseline, site.admin("/context").body());
        }
        try (Site site = Site.in(folder, "transport.kind=nio", "admin.baseline-file=baseline.json")) {
            assertThat(text(site, "transport", "verdict")).isEqualTo("ok");
            assertThat(drifts(site, "transport")).isFalse();
        }
        try (Site site = Site.in(folder, "admin.baseline-file=baseline.json")) {
            assertThat(text(site, "transport", "verdict")).isEqualTo("drift");
            assertThat(text(site, "transport", "wanted")).isEqualTo("nio");
            assertThat(drifts(site, "transport")).isTrue();
        }
    }

    /** Each row of the docs has the kind of the item, and the name of an existing test. */
    @Test
    void docsListEveryItem() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        Set<String> tests = testFiles();
        for (String line : Files.readAllLines(Path.of("..", "docs", "context.md"))) {
            String[] cells = line.split("\\|");
            if (line.startsWith("| `")) {
                rows.put(cells[1].replace("`", "").strip(), cells[2].strip());
                assertThat(tests).contains(cells[4].replace("`", "").strip() + ".java");
            }
        }
        Map<String, String> found = new TreeMap<>();
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.with(Site.ledger(memcached))) {
            assertThat(site.get("/").status()).isEqualTo(200);
            for (JsonNode item :
                    JsonMapper.builder().build().readTree(site.admin("/context").body())) {
                found.put(
                        item.path("item")
                                .asString()
                                .replace("listener web", "listener NAME")
                                .replace("upstream app", "upstream NAME")
                                .replace(memcached.address(), "SERVER"),
                        item.path("kind").asString());
            }
        }
        assertThat(rows).isEqualTo(found);
    }

    /** Only folders of sources, since other modules may be built meanwhile and change their folders of output. */
    private static Set<String> testFiles() throws IOException {
        Set<String> names = new HashSet<>();
        for (String module : List.of("gateway-core", "gateway-auth", "gateway-ratelimit", "gateway-app")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "test", "java"))) {
                files.map(file -> file.getFileName().toString()).forEach(names::add);
            }
        }
        return names;
    }

    @Test
    void refusesABaselineThatIsNoReport() throws IOException {
        Path other = Files.writeString(folder.resolve("other.json"), "{}");
        assertThatThrownBy(() -> Site.with("admin.baseline-file=" + other))
                .hasMessageContaining("admin.baseline-file")
                .hasMessageContaining("postern context --json");
    }
}
