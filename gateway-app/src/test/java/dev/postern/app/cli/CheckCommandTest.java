package dev.postern.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tests the output of {@code check} for people and programs, and the exit codes of commands. */
class CheckCommandTest {

    private static final String GOOD = """
        listeners: [{name: web, address: "127.0.0.1:8080"}]
        upstreams: [{name: app, endpoints: ["127.0.0.1:1 weight=2", "unix:/no/socket weight=3"]}]
        routes: [{upstream: app, token: off}]
        """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return PosternCommand.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private String config(String text) throws IOException {
        return Files.writeString(folder.resolve("gateway.yaml"), text).toString();
    }

    private JsonNode json() {
        return Json.MAPPER.readTree(out.toString());
    }

    @Test
    void connectsToEndpointsWithAWeight() throws IOException {
        assertThat(run("check", "--connect", "-c", config(GOOD))).isEqualTo(1);

        assertThat(out.toString().lines())
                .contains(
                        "not reached: upstream app 127.0.0.1:1 weight=2: the connection was refused",
                        "not reached: upstream app unix:/no/socket weight=3: No such file or directory",
                        "not all reached");
    }

    @Test
    void namesNoClassOfJava() throws IOException {
        String issuer = GOOD.replace("token: off", "token: required")
                + "privacy-pass: {issuers: [{name: a.example, directory: \"http://127.0.0.1:1/d\"}]}\n";

        assertThat(run("check", "--connect", "--json", "-c", config(issuer))).isEqualTo(1);

        assertThat(out.toString())
                .contains("issuer a.example http://127.0.0.1:1/d", "the connection was refused")
                .doesNotContainPattern("(java|javax|sun|io\\.netty)\\.[a-z]+\\.");
    }

    @Test
    void printsJsonForEveryProblem() throws IOException {
        assertThat(run("check", "--json", "-c", config("listeners: [\n  a: {"))).isEqualTo(1);
        assertThat(json().at("/problems/0/line").asInt()).isEqualTo(2);

        out.getBuffer().setLength(0);
        assertThat(run("check", "--json", "-c", folder.resolve("nowhere").toString()))
                .isEqualTo(1);
        assertThat(json().at("/good").asBoolean(true)).isFalse();
        assertThat(json().at("/problems/0/text").asString())
                .contains("(expected: a configuration file that can be read)");

        out.getBuffer().setLength(0);
        assertThat(run("check", "--json", "--conect")).isEqualTo(2);
        assertThat(json().at("/good").asBoolean(true)).isFalse();
        assertThat(json().at("/error").asString()).contains("--conect");

        out.getBuffer().setLength(0);
        Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe4});
        assertThat(run("check", "--json", "-c", folder.resolve("latin.yaml").toString()))
                .isEqualTo(1);
        assertThat(json().at("/problems/0/text").asString()).contains("(expected: text in UTF-8)");
    }

    @Test
    void strictTakesWarningsForProblems() throws IOException {
        String warned = config(GOOD + "secrets: {}\n");
        assertThat(run("check", "-c", warned)).isZero();
        assertThat(out.toString()).contains("warning: ", "secrets.ring-file: none", "good");

        out.getBuffer().setLength(0);
        assertThat(run("check", "--strict", "-c", warned)).isEqualTo(1);
        assertThat(out.toString())
                .contains("secrets.ring-file: none", "1 problem")
                .doesNotContain("warning: ", "good");

        out.getBuffer().setLength(0);
        assertThat(run("check", "--strict", "--json", "-c", warned)).isEqualTo(1);
        assertThat(json().at("/good").asBoolean(true)).isFalse();
        assertThat(json().at("/problems/0/key").asString()).isEqualTo("secrets.ring-file");
        assertThat(json().at("/warnings")).isEmpty();

        out.getBuffer().setLength(0);
        Files.writeString(folder.resolve("ring"), KeyRing.newLine() + "\n");
        Files.setPosixFilePermissions(folder.resolve("ring"), PosixFilePermissions.fromString("rw-------"));
        assertThat(run("check", "--strict", "-c", config(GOOD + "secrets: {ring-file: ring}\n")))
                .isZero();
        assertThat(out.toString().strip()).isEqualTo("good");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check --nonsense",
                "check --set limits",
                "nonsense",
                "size --rate 0",
                "size --rate x",
                "size --rate 1 --clock-skew soon",
                "fetch ftp://a/",
                "issuer --types 7",
                "issuer --keep 0",
                "probe --admin nonsense",
                "mint -n 0 http://a/"
            })
    void wrongCommandLinesExitWithTwo(String line) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(err.toString()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "size --json --rate 0",
                "fetch --json ftp://a/",
                "probe --json --admin 127.0.0.1:1",
                "context --json --nonsense"
            })
    void everyCommandPrintsJsonWhenItFails(String line) {
        assertThat(run(line.split(" "))).isPositive();
        assertThat(json().at("/error").asString()).isNotEmpty();
    }

    @Test
    void namesTheFileAsWritten() throws IOException {
        String text = """
            listeners: 127.0.0.1:8080
            limits: {pipeline-depth: 99999999999}
            upstreams:
              - name: app
                endpoints: 127.0.0.1:9000
            routes:
              - upstream:
            forward:
            """;

        assertThat(run("check", "-c", config(text), "--set", "upstreams.3.name=b"))
                .isEqualTo(1);
        List<String> lines =
                out.toString().lines().map(l -> l.replace(folder + "/", "")).toList();
        assertThat(lines)
                .contains(
                        "gateway.yaml:1:12: listeners: 127.0.0.1:8080 (expected: a list such as [{name: web, address:"
                                + " 0.0.0.0:8080}])",
                        "gateway.yaml:2:26: limits.pipeline-depth: 99999999999 (expected: a whole number up to"
                                + " 2147483647)",
                        "gateway.yaml:5:16: upstreams.0.endpoints: 127.0.0.1:9000 (expected: a list such as"
                                + " [127.0.0.1:9000])",
                        "gateway.yaml:7:14: routes.0.upstream: nothing (expected: the name of an upstream; or upstreams,"
                                + " respond or redirect)",
                        "--set upstreams.3.name: upstreams.3.name: 3 (expected: an index of 0..1)");
    }
}
