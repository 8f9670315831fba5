package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests what clients of a forward listener get over sockets. */
@ExtendWith(LeakExtension.class)
class ForwardProxyIT {

    private final TestOrigin origin = new TestOrigin();
    private final CoreGateway gateway = new CoreGateway(Setup.of(origin.address()));

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private RawClient client() {
        return new RawClient(gateway.forwardPort());
    }

    private static String connect(String authority) {
        return "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n";
    }

    @Test
    void opensATunnelAndRelaysBothWays() {
        try (RawClient client = client()) {
            RawClient.Response opened = client.send(connect(origin.address())).readHead();
            assertThat(opened.status()).isEqualTo(200);
            assertThat(opened.head().toLowerCase(Locale.ROOT)).doesNotContain("content-length", "transfer-encoding");
            assertThat(client.get("/inside").body()).isEqualTo("hello");
            assertThat(client.finish().closedByPeer()).isTrue();
        }
        assertThat(origin.received().get(0).head()).doesNotContain("X-Forwarded", "x-forwarded", "via");
    }

    @Test
    void refusesTheGatewaysOwnAddresses() {
        try (RawClient client = client()) {
            assertThat(client.send(connect("127.0.0.1:" + gateway.port()))
                            .read()
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void forwardsAnAbsoluteFormWithoutClientFields() {
        try (RawClient client = client()) {
            RawClient.Response response = client.send("GET http://" + origin.address() + "/abs?q HTTP/1.1\r\nHost: "
                            + origin.address() + "\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n")
                    .read();
            assertThat(response.body()).isEqualTo("hello");
        }
        TestOrigin.Received request = origin.received().get(0);
        assertThat(request.line()).isEqualTo("GET /abs?q HTTP/1.1");
        assertThat(request.field("Host")).isEqualTo(origin.address());
        assertThat(request.field("X-Forwarded-For")).isEmpty();
        assertThat(request.field("Via")).isEqualTo("1.1 postern");
    }
}
