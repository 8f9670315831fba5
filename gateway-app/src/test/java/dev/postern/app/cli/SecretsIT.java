package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.ConfigSchema;
import dev.postern.core.crypto.KeyRing;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a canary in every secret, valid or not, appears in no output of the program. */
@Tag("long")
class SecretsIT {

    private static final String CANARY = "s3cr3tcanary";

    private static final String BASE = """
        listeners: [{name: web, address: "127.0.0.1:0"}]
        admin: {address: "127.0.0.1:0"}
        log: {level: trace}
        lifecycle: {drain-delay: 0s}
        secrets: {ring-file: ring}
        rate-limits: [{name: site, rate: 10/s, store: redis, fair-queue: {}}]
        upstreams: [{name: app, endpoints: ["127.0.0.1:1"]}]
        routes: [{host: a.example, upstream: app, token: off, rate-limit: site}]
        privacy-pass: {issuers: [{name: a.example, directory: "http://127.0.0.1:1/d"}], ledger: {store: redis}}
        """;

    /** Addresses with a password as editing, templates or password generators may produce them. */
    private static final List<String> ADDRESSES = List.of(
            "redis://user:" + CANARY + "@127.0.0.1:1",
            "redis://:" + CANARY + "@127.0.0.1:1/2",
            "rediss://:" + CANARY + "@127.0.0.1:1",
            "redis://:" + CANARY + "%zt@127.0.0.1:1",
            "redis://:" + CANARY + "#/?@127.0.0.1:1",
            "redis://:" + CANARY + "@127.0.0.1:99999",
            "redis://:" + CANARY + "@127.0.0.1/db",
            "redis://:" + CANARY + "@[::",
            "redis://:" + CANARY + "@",
            "redis://:" + CANARY + " @127.0.0.1",
            "redis://:${" + CANARY + "}@127.0.0.1",
            "redis:/:" + CANARY + "@127.0.0.1",
            "redis-sentinel://:" + CANARY + "@127.0.0.1",
            "http://u:" + CANARY + "@127.0.0.1:1/d",
            "https://u:" + CANARY + "@[x/d",
            "https:/u:" + CANARY + "@127.0.0.1/d",
            "u:" + CANARY + "@127.0.0.1");

    @TempDir
    private Path folder;

    @BeforeEach
    void ring() throws IOException {
        Files.writeString(folder.resolve("ring"), KeyRing.newLine() + "\n");
    }

    /** Returns every secret key, and every key whose value is an address with a scheme. */
    static Stream<String> keys() {
        List<String> keys = new ArrayList<>();
        visit(ConfigSchema.of(GatewayConfig.class), "", keys);
        assertThat(keys)
                .contains("redis.uri", "privacy-pass.issuers.0.directory", "tracing.endpoint", "routes.0.redirect.to");
        return keys.stream();
    }

    private static void visit(ConfigSchema schema, String path, List<String> keys) {
        if (schema.kind() == ConfigSchema.Kind.LIST || schema.kind() == ConfigSchema.Kind.MAP) {
            visit(schema.element(), path + (schema.kind() == ConfigSchema.Kind.LIST ? ".0" : ".x"), keys);
        }
        for (ConfigSchema.Field field : schema.fields()) {
            String key = path.isEmpty() ? field.key() : path + "." + field.key();
            String words = field.about().defaultValue()
                    + field.about().example()
                    + field.about().description();
            boolean leaf = field.schema().kind() == ConfigSchema.Kind.LEAF
                    && field.schema().raw() == String.class;
            if (leaf && (field.about().secret() || words.contains("://") || words.contains("URL"))) {
                keys.add(key);
            }
            visit(field.schema(), key, keys);
        }
    }

    @ParameterizedTest
    @MethodSource("keys")
    void noCommandPrintsIt(String key) throws IOException {
        String file = config(BASE);
        for (String address : ADDRESSES) {
            String flag = key + "='" + address + "'";
            assertThat(printed("check", "-c", file, "--set", flag)).as(flag).doesNotContain(CANARY);
            assertThat(printed("check", "--json", "-c", file, "--set", flag))
                    .as(flag)
                    .doesNotContain(CANARY);
            assertThat(printed("config", "show", "-c", file, "--set", flag))
                    .as(flag)
                    .doesNotContain(CANARY);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis: \"redis://:{canary}@127.0.0.1\"",
                "redis: {uri: {\"redis://:{canary}@127.0.0.1\": a}}",
                "redis: {uri: [\"redis://:{canary}@127.0.0.1\"]}",
                "redis: {uri: *{canary}}",
                "redis: {uri: @{canary}}",
                "redis: {uri: \"redis://:{canary}\\z@127.0.0.1\"}",
                "redis: {uri: \"redis://:{canary}@127.0.0.1",
                "redis: {uri: 'redis://:{canary}%zt@127.0.0.1', uri: a}",
                "redis: {uri-file: 'redis://:{canary}@127.0.0.1'}"
            })
    void noCommandPrintsMisplacedSecrets(String line) throws IOException {
        String file = config(BASE + line.replace("{canary}", CANARY) + "\n");

        for (String[] command : List.of(
                new String[] {"check", "-c", file},
                new String[] {"check", "--json", "-c", file},
                new String[] {"config", "show", "-c", file},
                new String[] {"run", "-c", file})) {
            assertThat(printed(command)).isNotEmpty().doesNotContain(CANARY);
        }
    }

    @Test
    void wrongCommandLinesArePrintedWithoutIt() throws IOException {
        String file = config(BASE);
        String address = "redis://:" + CANARY + "@127.0.0.1";

        assertThat(printed("check", "-c", file, "--set", "redis.uri", address)).doesNotContain(CANARY);
        assertThat(printed("check", "-c", file, "--set", "redis.uri:" + address))
                .doesNotContain(CANARY);
        assertThat(printed("check", "--json", "-c", file, "--sett", "redis.uri=" + address))
                .doesNotContain(CANARY);
        assertThat(printed("check", "-c", file, "--set", "redis.url=" + address))
                .doesNotContain(CANARY);
        assertThat(printed("check", "-c", file, "--set", "redis.uri=[" + address))
                .doesNotContain(CANARY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secrets.ring-file",
                "admin.token-file",
                "redis.uri-file",
                "tracing.headers-file",
                "privacy-pass.issuers.0.private-key-files.0",
                "listeners.0.tls.certificates.0.private-key-file"
            })
    void noCommandPrintsTheContentOfFiles(String key) throws IOException {
        String file = config(BASE);
        Path secret = folder.resolve("secret");
        List<String> contents = new ArrayList<>(ADDRESSES);
        contents.addAll(List.of(
                CANARY,
                CANARY + "\u0000",
                "voprf-p384:" + CANARY,
                "Authorization: " + CANARY + "\n:x",
                "\ud83d" + CANARY));
        for (String content : contents) {
            Files.write(secret, content.getBytes(UTF_16BE));
            assertThat(printed("check", "-c", file, "--set", key + "=secret")).doesNotContain(CANARY);
            Files.write(secret, content.getBytes(UTF_8));
            assertThat(printed("check", "-c", file, "--set", key + "=secret"))
                    .as(content)
                    .doesNotContain(CANARY);
            assertThat(printed("check", "--connect", "--json", "-c", file, "--set", key + "=secret"))
                    .doesNotContain(CANARY);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis.uri=redis://user:s3cr3tcanary@127.0.0.1:1",
                "redis.uri=redis://:s3cr3tcanary%zt@127.0.0.1:1",
                "redis.uri=rediss://:s3cr3tcanary@127.0.0.1:1",
                "redis.cluster=true,redis.uri=redis://:s3cr3tcanary@127.0.0.1:1"
            })
    void aGatewayDoesNotLogIt(String flags) throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run",
                "-c",
                config(BASE)));
        for (String flag : flags.split(",")) {
            command.addAll(List.of("--set", flag));
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> !process.isAlive() || Files.readString(log).contains("ready; admin on"));
            if (process.isAlive()) {
                // A second read of the configuration, which finds another password and is not applied.
                config(BASE + "redis: {uri: \"redis://:" + CANARY + "2@127.0.0.1:1\"}\n");
                new ProcessBuilder("kill", "-HUP", Long.toString(process.pid()))
                        .start()
                        .waitFor();
                Awaitility.await()
                        .atMost(Duration.ofMinutes(2))
                        .until(() -> Files.readString(log).contains("configuration: "));
            }
        } finally {
            process.destroy();
            process.waitFor();
        }
        assertThat(Files.readString(log)).isNotEmpty().doesNotContain(CANARY);
    }

    private String config(String text) throws IOException {
        return Files.writeString(folder.resolve("gateway.yaml"), text).toString();
    }

    private static String printed(String... args) {
        StringWriter all = new StringWriter();
        PrintWriter writer = new PrintWriter(all, true);
        PosternCommand.execute(writer, writer, args);
        return all.toString();
    }
}
