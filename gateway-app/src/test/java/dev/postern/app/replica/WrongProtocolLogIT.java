package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the advice in the log when clients use another protocol than the listener's. */
class WrongProtocolLogIT {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:{port}"}
            admin: {address: "127.0.0.1:{admin}"}
            lifecycle: {drain-delay: 0s}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%d"]}
            routes:
              - {upstream: app, token: off}
            """.formatted(ServerProcess.freePort());

    @TempDir
    private Path folder;

    @Test
    void theLogNamesTheSetting() throws Exception {
        try (GatewayProcess gateway = new GatewayProcess(folder, "mistaken", YAML).awaitReady();
                RawClient proxy = new RawClient(gateway.port());
                RawClient tls = new RawClient(gateway.port())) {
            assertThat(proxy.send("PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n")
                            .read()
                            .status())
                    .isEqualTo(400);
            assertThat(tls.send("\u0016\u0003\u0001\u0002").read().status()).isEqualTo(400);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(gateway.log())
                            .contains("set proxy-protocol and trusted-proxies", "give the listener tls"));
        }
    }
}
