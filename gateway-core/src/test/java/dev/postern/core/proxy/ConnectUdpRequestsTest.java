package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.UdpTunnelClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests requests for UDP tunnels that open none (RFC 9298 section 3). */
@ExtendWith(LeakExtension.class)
class ConnectUdpRequestsTest {

    private static final String PATH = "/.well-known/masque/udp/127.0.0.1/4433/";

    private MemoryGateway gateway = new MemoryGateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void assertRefused(String target, int status, String code, String error) {
        String path = "/.well-known/masque/udp/" + target + "/";
        try (RawClient client = gateway.forwardClient()) {
            RawClient.Response response = client.send("GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\n"
                            + "Upgrade: connect-udp\r\nCapsule-Protocol: ?1\r\n\r\n")
                    .read();
            assertThat(response.status()).as(target).isEqualTo(status);
            assertThat(response.body()).contains(code);
            assertThat(response.field("Proxy-Status")).isEqualTo("postern; error=" + error);
        }
        try (FrameClient client = gateway.forwardClient2()) {
            client.headers(1, false, UdpTunnelClient.extendedConnect(path));
            FrameClient.Response response = client.response(1);
            assertThat(response.status()).as(target).isEqualTo(Integer.toString(status));
            assertThat(response.body()).contains(code);
            assertThat(response.field("proxy-status")).isEqualTo("postern; error=" + error);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1/444", "127.0.0.1/11211", "10.0.0.1/443", "%3A%3A1/443"})
    void refusesForbiddenDestinationsWithTheErrorOfTheProxy(String target) {
        gateway.close();
        gateway = new MemoryGateway(MemoryGateway.setup()
                .forward(List.of("1-65535"), List.of("127.0.0.0/8"))
                .udp(Setup.udp(List.of("443", "1024-65535"), Duration.ofMinutes(2))));
        assertRefused(target, 403, "destination-forbidden", "destination_ip_prohibited");
    }

    @Test
    void refusesNamesThatDoNotResolve() {
        assertRefused("nowhere.invalid/443", 502, "destination-unresolved", "dns_error");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: connect-udp\r\n, 404",
                "GET / HTTP/1.1\r\n, 421",
                "GET PATH HTTP/1.1\r\n, 400",
                "POST PATH HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: connect-udp\r\nContent-Length: 0\r\n, 400",
                "GET PATH HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: connect-udp\r\nContent-Length: 1\r\n, 400",
                "GET PATH HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n, 400",
                "GET PATH HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: connect-udp\r\nUpgrade: connect-udp\r\n, 400",
                "GET PATH HTTP/1.1\r\nUpgrade: connect-udp\r\n, 400",
                "GET PATH HTTP/1.0\r\nConnection: upgrade\r\nUpgrade: connect-udp\r\n, 400",
            })
    void respondsToOtherRequestsOfHttp1(String row) {
        String head = row.substring(0, row.lastIndexOf(','));
        try (RawClient client = gateway.forwardClient()) {
            client.send(head.replace("PATH", PATH) + "Host: h\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(Integer.parseInt(row.substring(row.lastIndexOf(' ') + 1)));
        }
    }
}
