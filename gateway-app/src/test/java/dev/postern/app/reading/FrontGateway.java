package dev.postern.app.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.auth.testing.TokenMint;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Gateway with default settings and the given routes in front of one upstream. */
final class FrontGateway implements AutoCloseable {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno}
            admin: {address: "127.0.0.1:0"}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            log: {level: error}
            privacy-pass:
              origin-names: [gateway.example]
              issuers: [{name: issuer.example, public-keys: ["%s"]}]
            upstreams:
              - {name: app, congestion-control: reno, endpoints: ["%s"]}
            routes:
            """;

    private final Gateway gateway;

    /** @param routes flow mappings of YAML, without the upstream */
    FrontGateway(String upstream, String... routes) {
        StringBuilder yaml = new StringBuilder(YAML.formatted(TokenMint.shared().publicKey(), upstream));
        for (String route : routes) {
            yaml.append("  - {upstream: app, ").append(route).append("}\n");
        }
        LoadedConfig config = new ConfigReader(Map.of(), List.of()).read("gateway.yaml", yaml.toString(), Path.of(""));
        assertThat(config.problems()).isEmpty();
        gateway = Gateway.start(config, UnaryOperator.identity(), line -> {});
    }

    int port() {
        return gateway.listener("web").getPort();
    }

    @Override
    public void close() {
        gateway.close();
    }
}
