package dev.postern.app.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Gateway that a proxy asks, with its configuration on the page; it can be stopped, and started again at the same port. */
final class AskedGateway implements AutoCloseable {

    static final TokenMint MINT = TokenMint.shared();
    private static final String ADMIN = "0123456789abcdef";

    final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final LoadedConfig config;
    private Gateway gateway;

    /**
     * @param group of the proxy's files on the page
     * @param settings {@code key=value} each, in place of those on the page
     */
    AskedGateway(String group, ProxyPorts ports, Path folder, String... settings) throws IOException {
        Path token = Files.writeString(folder.resolve("admin.token"), ADMIN);
        List<String> all = new ArrayList<>(List.of(
                "privacy-pass.issuers=[{name: issuer.example, public-keys: [\"" + MINT.publicKey() + "\"]}]",
                "admin={address: \"127.0.0.1:0\", token-file: \"" + token + "\"}",
                "log={level: warn, successes: 100%}",
                "lifecycle={drain-delay: 0s, drain-timeout: 1s}",
                // Other builds may share this machine; their load must not cause refusals.
                "overload={loop-lag: {shed-above: 0}}"));
        all.addAll(List.of(settings));
        String text = ports.replace(ProxyPage.read().file(group + "/gateway.yaml"));
        config = new ConfigReader(Map.of(), all).read("gateway.yaml", text, Path.of(""));
        assertThat(config.problems()).isEmpty();
        gateway = start(config);
    }

    private Gateway start(LoadedConfig settings) {
        return Gateway.start(settings, UnaryOperator.identity(), lines::add);
    }

    int port() {
        return gateway.listener("auth").getPort();
    }

    void stop() {
        gateway.close();
    }

    /** Starts it again, with nothing remembered. */
    void start() {
        gateway = start(config);
    }

    /** Drains it, until interrupted at the latest. */
    void drain() throws InterruptedException {
        gateway.drain();
    }

    /** Sends a GET to the admin address. */
    RawClient.Response admin(String path) {
        return admin("GET", path, "");
    }

    private RawClient.Response admin(String method, String path, String body) {
        try (RawClient client = new RawClient(gateway.admin().getPort())) {
            return client.send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + ADMIN
                            + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                    .read();
        }
    }

    /** Changes a room while the gateway runs. */
    void changeRoom(String name, String json) {
        RawClient.Response response = admin("PATCH", "/rooms/" + name, json);
        assertThat(response.status()).as(response.body()).isEqualTo(200);
    }

    @Override
    public void close() {
        gateway.close();
    }
}
