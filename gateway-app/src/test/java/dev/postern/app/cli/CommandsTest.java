package dev.postern.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.StoreSizing;
import dev.postern.core.crypto.KeyRing;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tests the output and exit codes of commands. */
class CommandsTest {

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return PosternCommand.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private String config(String text) throws IOException {
        return Files.writeString(directory.resolve("gateway.yaml"), text).toString();
    }

    private static final String GOOD = """
        listeners: [{name: web, address: "127.0.0.1:8080"}]
        upstreams: [{name: app, endpoints: ["127.0.0.1:1"]}]
        routes: [{upstream: app, token: off}]
        """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "init",
                "run",
                "check",
                "config show",
                "issuer",
                "fetch",
                "mint",
                "demo",
                "secret new",
                "secret add",
                "secret promote",
                "secret retire",
                "probe",
                "size",
                "context"
            })
    void everyCommandHasHelpWithExamples(String command) {
        String[] words = (command + " --help").split(" ");

        assertThat(run(words)).isZero();
        assertThat(out.toString())
                .contains("Usage: postern " + command, "Examples:", "Exit codes:")
                .containsPattern("(?s)Examples:.*postern " + command.split(" ")[0]);
    }

    /** The command that deploy shows and the numbers of capacity are those of the command that both name. */
    @Test
    void docsShowTheMemoryThatSizeComputes() throws IOException {
        String capacity = Files.readString(Path.of("../docs/capacity.md"));
        assertThat(capacity).contains("`postern size --rate 5000 --challenge-window 10m`");
        assertThat(run("size", "--rate", "5000", "--challenge-window", "10m")).isZero();
        Matcher memcached = Pattern.compile("memcached +-m (\\d+) ").matcher(out.toString());
        assertThat(memcached.find()).isTrue();

        assertThat(Files.readString(Path.of("../docs/deploy.md")))
                .contains("\nmemcached -M -m " + memcached.group(1) + " -U 0 -l ");
        long spends = 5_000 * (2 * 600 + 30);
        assertThat(capacity)
                .contains(
                        "20 min 30 s",
                        StoreSizing.MEMCACHED.bytes() + " B in memcached",
                        StoreSizing.REDIS.bytes() + " B in Redis",
                        StoreSizing.EMBEDDED.bytes() + " B in the embedded ledger",
                        StoreSizing.JOURNAL.bytes() + " B in its journal")
                .containsPattern("6\\.15 million spends \\(5,000/s\\) take " + mega(StoreSizing.MEMCACHED, spends)
                        + " MB, 1\\.3 GB, " + mega(StoreSizing.EMBEDDED, spends) + " MB and "
                        + mega(StoreSizing.JOURNAL, spends) + " MB");
        assertThat(mega(StoreSizing.REDIS, spends)).isBetween(1_250L, 1_349L);
    }

    private static long mega(StoreSizing store, long spends) {
        return Math.round(spends * store.bytes() / 1e6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "65531"})
    void theDemoNeedsSixPorts(String base) {
        assertThat(run("demo", "--once", "--port-base", base)).isEqualTo(2);
        assertThat(err.toString()).contains("--port-base: " + base + " (expected: 1..65528)");
    }

    @Test
    void listsCommandsWithoutArguments() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("run", "check", "demo");
        assertThat(run("chekc")).isEqualTo(2);
    }

    @Test
    void namesVersionAndCommit() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).matches("postern \\d+\\.\\d+\\.\\d+.*"),
                        line -> assertThat(line).startsWith("commit "),
                        line -> assertThat(line).startsWith("java "));
    }

    @Test
    void checksGoodConfiguration() throws IOException {
        assertThat(run("check", "-c", config(GOOD))).isZero();
        assertThat(out.toString()).contains("warning: ", "secrets.ring-file").endsWith("good" + System.lineSeparator());
    }

    @Test
    void checksBadConfiguration() throws IOException {
        String file = config(GOOD + "limits: {pipeline-depth: 0, head-timeout: soon}\n");

        assertThat(run("check", "-c", file)).isEqualTo(1);
        assertThat(out.toString().lines())
                .contains(
                        file + ":4:26: limits.pipeline-depth: 0 (expected: 1..1024)",
                        file + ":4:43: limits.head-timeout: soon (expected: a duration such as 50ms, 10s, 5m or 1h)",
                        "2 problems");
    }

    @Test
    void checksForPrograms() throws IOException {
        assertThat(run("check", "--json", "-c", config(GOOD + "nonsense: 1\n"))).isEqualTo(1);
        assertThat(Json.MAPPER.readTree(out.toString()).at("/problems/0/line").asInt())
                .isEqualTo(4);
    }

    @Test
    void testsConnections() throws IOException {
        assertThat(run("check", "--connect", "-c", config(GOOD))).isEqualTo(1);
        assertThat(out.toString()).contains("not reached: upstream app 127.0.0.1:1");
    }

    @Test
    void refusesToRunBadConfiguration() throws IOException {
        assertThat(run("run", "-c", config("listeners: 5"))).isEqualTo(1);
        assertThat(err.toString())
                .contains("listeners: 5 (expected: a list such as [{name: web, address: 0.0.0.0:8080}])");
        assertThat(run("run", "-c", directory.resolve("nowhere").toString())).isEqualTo(1);
        assertThat(err.toString()).contains("(expected: a configuration file that can be read)");
    }

    @Test
    void showsWhereValuesComeFrom() throws IOException {
        assertThat(run("config", "show", "-c", config(GOOD), "--set", "limits.pipeline-depth=3"))
                .isZero();
        List<String> lines =
                out.toString().lines().map(l -> l.replaceAll(" +", " ")).toList();
        assertThat(lines)
                .contains(
                        "limits.pipeline-depth: 3 # --set limits.pipeline-depth",
                        "limits.request-head: 16KiB # default")
                .anyMatch(
                        l -> l.startsWith("listeners.0.address: 127.0.0.1:8080 # ") && l.endsWith("gateway.yaml:1:34"));
    }

    @Test
    void printsLineForRing() {
        assertThat(run("secret", "new")).isZero();
        assertThat(KeyRing.of(out.toString().lines().toList())).isNotNull();
    }

    @Test
    void reportsThatNoServerResponds() {
        assertThat(run("probe", "--admin", "127.0.0.1:1")).isEqualTo(1);
        assertThat(err.toString()).contains("no gateway responds on 127.0.0.1:1");
        assertThat(run("context", "--admin", "nonsense")).isEqualTo(2);
        assertThat(err.toString()).contains("--admin: nonsense (expected: host:port");
    }

    @Test
    void computesMemory() {
        assertThat(run("size", "--rate", "5000", "--json")).isZero();
        JsonNode json = Json.MAPPER.readTree(out.toString());
        assertThat(json.path("spends").asLong()).isEqualTo(6_150_000);
        assertThat(json.path("memcached-bytes").asLong()).isEqualTo(6_150_000L * 126 * 3 / 2);
        assertThat(json.path("redis-bytes").asLong()).isEqualTo(6_150_000L * 210 * 3 / 2);
        assertThat(json.path("embedded-bytes").asLong()).isEqualTo(6_150_000L * 44 * 3 / 2);
        assertThat(json.path("journal-bytes").asLong()).isEqualTo(6_150_000L * 25 * 3 / 2);
    }

    @Test
    void computesTheMemoryOfTunnels() {
        assertThat(run("size", "--rate", "1", "--tunnels", "10000", "--json")).isZero();
        JsonNode json = Json.MAPPER.readTree(out.toString());
        for (SizeCommand.TunnelSizing kind : SizeCommand.TunnelSizing.values()) {
            assertThat(json.path(kind.label() + "-tunnel-bytes").asLong()).isEqualTo(10_000L * kind.bytes() * 3 / 2);
        }
        assertThat(run("size", "--rate", "1", "--tunnels", "10000")).isZero();
        assertThat(out.toString()).contains("10,000 idle tunnels", "tcp ", "udp ", "http2-stream ");
        assertThat(run("size", "--rate", "1", "--tunnels", "-1")).isEqualTo(2);
        assertThat(err.toString()).contains("--tunnels: -1 (expected: 0..100000000)");
    }

    @Test
    void requiresTheAddressOfTheSite() {
        assertThat(run("fetch", "ftp://somewhere/")).isEqualTo(2);
        assertThat(err.toString()).contains("URL: ftp://somewhere/ (expected: http://host/ or https://host/)");
    }

    @Test
    void requiresTypesAndAFolderForTheirKeys() {
        assertThat(run("issuer", "--types", "2,7")).isEqualTo(2);
        assertThat(run("issuer", "--types", "2,2")).isEqualTo(2);
        assertThat(run("issuer", "--types", "1,2", "--address", "127.0.0.1:0")).isEqualTo(2);
        assertThat(run("issuer", "--keep", "0")).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "--types: 7 (expected: each once of 1, 2)",
                        "--types: 2 (expected: each once of 1, 2)",
                        "--private-keys: none (expected: a folder",
                        "announce, keep: PT0S, 0");
    }
}
