package dev.postern.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.transport.Transport;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the probes of the admin address. */
class AdminProbesIT extends AdminServerFixture {

    @Test
    void reportsWhetherEventLoopsRun() {
        assertThat(get("/livez").status()).isEqualTo(200);
        live.set(false);
        assertThat(get("/livez").status()).isEqualTo(503);
    }

    @Test
    void staysReadyDuringAStoreOutageUnlessConfigured() {
        healthy.set(false);
        assertThat(get("/readyz").status()).isEqualTo(200);
        assertThat(get("/readyz").body()).contains("\"healthy\" : false");
        server.close();
        server = server(Set.of("ledger"));
        assertThat(get("/readyz").status()).isEqualTo(503);
    }

    @Test
    void isNotReadyWhileDraining() {
        draining.set(true);
        assertThat(get("/readyz").status()).isEqualTo(503);
        assertThat(get("/livez").status()).isEqualTo(200);
    }

    @Test
    void isNotReadyWhileLoadIsShed() {
        shedding.set("heap");
        assertThat(get("/readyz").status()).isEqualTo(503);
        assertThat(get("/readyz").body()).contains("\"shedding\" : \"heap\"");
        assertThat(get("/livez").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /livez", "CONNECT localhost:9180", "DELETE /readyz"})
    void probesAreReadOnly(String line) {
        try (ProbeServer probes = new ProbeServer(
                        new InetSocketAddress("127.0.0.1", 0), Transport.open(Transport.Kind.NIO), probes(Set.of()));
                RawClient client = new RawClient(probes.address().getPort())) {
            RawClient.Response refused =
                    client.send(line + " HTTP/1.1\r\nHost: localhost\r\n\r\n").read();
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.field("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        }
    }

    /** The checks of HAProxy's {@code option httpchk}, with and without a URI: HTTP/1.0 without Host. */
    @ParameterizedTest
    @ValueSource(strings = {"OPTIONS / HTTP/1.0", "GET /readyz HTTP/1.0", "OPTIONS / HTTP/1.1\r\nHost: localhost"})
    void probesNeedNoHost(String lines) {
        try (ProbeServer probes = new ProbeServer(
                new InetSocketAddress("127.0.0.1", 0), Transport.open(Transport.Kind.NIO), probes(Set.of()))) {
            for (int port : List.of(server.address().getPort(), probes.address().getPort())) {
                draining.set(false);
                assertThat(status(port, lines)).isEqualTo(200);
                draining.set(true);
                assertThat(status(port, lines)).isEqualTo(503);
            }
        }
    }

    private static int status(int port, String lines) {
        try (RawClient client = new RawClient(port)) {
            return client.send(lines + "\r\n\r\n").read().status();
        }
    }

    @Test
    void onlyProbesNeedNoHost() {
        for (String path : List.of("/keys", "/asked", "/")) {
            assertThat(status(server.address().getPort(), "GET " + path + " HTTP/1.0"))
                    .isEqualTo(421);
        }
        assertThat(status(server.address().getPort(), "GET /livez HTTP/1.1\r\nHost: evil.example"))
                .isEqualTo(421);
    }
}
