package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a gateway with {@code watch: true} follows its file, and the files that values refer to. */
class WatchIT {

    private static final String YAML = """
        watch: true
        listeners: [{name: web, address: "127.0.0.1:0", congestion-control: reno}]
        admin: {address: "127.0.0.1:0"}
        lifecycle: {drain-delay: 0s, drain-timeout: 1s}
        overload: {loop-lag: {shed-above: 0}}
        log: {level: error, successes: 0%}
        upstreams: [{name: app, congestion-control: reno, endpoints: ["127.0.0.1:1"]}]
        routes: [{upstream: app, token: off, redirect: {to: "/TO", status: "${file:status}"}}]
        """;

    @TempDir
    private Path folder;

    private LoadedConfig load() throws IOException {
        return new ConfigReader(Map.of(), List.of()).read(folder.resolve("gateway.yaml"));
    }

    private static RawClient.Response get(Gateway gateway) {
        try (RawClient client = new RawClient(gateway.listener("web").getPort())) {
            return client.get("/");
        }
    }

    @Test
    void reloadsWhenAFileChanges() throws IOException {
        Files.writeString(folder.resolve("status"), "307\n");
        Files.writeString(folder.resolve("gateway.yaml"), YAML.replace("TO", "a"));
        LoadedConfig first = load();
        assertThat(first.problems()).isEmpty();
        try (Gateway gateway = Gateway.start(first, this::load)) {
            assertThat(get(gateway).field("Location")).isEqualTo("/a");

            Files.writeString(folder.resolve("gateway.yaml"), YAML.replace("TO", "b"));
            await().untilAsserted(
                            () -> assertThat(get(gateway).field("Location")).isEqualTo("/b"));

            assertThat(get(gateway).status()).isEqualTo(307);
            Files.writeString(folder.resolve("status"), "302\n");
            await().untilAsserted(() -> assertThat(get(gateway).status()).isEqualTo(302));
        }
    }
}
