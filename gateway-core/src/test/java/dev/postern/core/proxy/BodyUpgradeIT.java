package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.route.transform.UpgradePolicy;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameOrigin;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestRoute;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests upgrades with any method and with a body, as docker and kubectl send them: the body ends before the tunnel begins, and bytes behind
 * the request belong to the tunnel after a 101 and to the next request otherwise.
 */
@ExtendWith(LeakExtension.class)
class BodyUpgradeIT {

    private static final String UPGRADE = " HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: ";
    private static final String EXEC = "POST /exec/1/start" + UPGRADE + "tcp\r\n";
    private static final String CHUNKED = EXEC + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String AGREE = "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n";
    private static final int ENABLE_CONNECT_PROTOCOL = 8;
    private static final String NEXT = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

    private final RawOrigin origin = new RawOrigin();
    private final CoreGateway gateway =
            new CoreGateway(setup().route(route -> TestRoute.with(route, transform("tcp", "spdy/3.1"))));
    private final RawClient client = new RawClient(gateway.port());

    private Setup setup() {
        return Setup.of(origin.address());
    }

    private static RouteTransform transform(String... protocols) {
        UpgradePolicy policy = new UpgradePolicy(List.of(protocols), Duration.ofMinutes(1), Duration.ZERO, 0);
        return KeyDefaults.with(RouteTransform.PLAIN, Map.of("policy", policy));
    }

    @AfterEach
    void close() {
        client.close();
        gateway.close();
        origin.close();
    }

    private Line acceptHead(String contained) {
        Line line = origin.accept();
        assertThat(line.readHead().toLowerCase(Locale.ROOT)).contains(contained);
        return line;
    }

    private void assertTunnel(Line line) {
        client.send("GET / HTTP/1.1\r\n\r\n");
        assertThat(line.read(18)).isEqualTo("GET / HTTP/1.1\r\n\r\n");
        line.send("HTTP/1.1 200 OK\r\n\r\n");
        assertThat(client.readBytes(19)).isEqualTo("HTTP/1.1 200 OK\r\n\r\n");
    }

    @Test
    void anAgreementBeforeTheEndOfTheBodyWaitsForIt() {
        client.send(CHUNKED + "2\r\n{}\r\n");
        Line line = acceptHead("\r\nupgrade: tcp\r\n");
        assertThat(line.read(7)).isEqualTo("2\r\n{}\r\n");
        line.send(AGREE + "early").send("ier");
        client.send("3\r\nabc\r\n");
        assertThat(line.read(8)).as("still a body").isEqualTo("3\r\nabc\r\n");
        client.send("0\r\n\r\n" + NEXT);
        assertThat(line.read(5)).isEqualTo("0\r\n\r\n");
        assertThat(client.readHead().status()).isEqualTo(101);
        assertThat(client.readBytes(8)).isEqualTo("earlyier");
        assertThat(line.read(NEXT.length())).isEqualTo(NEXT);
        assertTunnel(line);
    }

    @Test
    void anUpstreamOfHttp2RefusesWhatAnExtendedConnectCannotSay() {
        try (FrameOrigin two = new FrameOrigin();
                CoreGateway over = new CoreGateway(
                        Setup.of(two.address()).toHttp2(null).route(route -> TestRoute.with(route, transform("tcp"))));
                RawClient visitor = new RawClient(over.port())) {
            visitor.send(NEXT);
            FrameClient line = two.accept(ENABLE_CONNECT_PROTOCOL, 1);
            line.await(FrameClient.HEADERS);
            line.headers(1, true, ":status", "204");
            assertThat(visitor.read().status()).isEqualTo(204);
            visitor.send(EXEC + "Content-Length: 2\r\n\r\n{}");
            assertThat(visitor.read().status()).isEqualTo(501);
        }
    }
}
