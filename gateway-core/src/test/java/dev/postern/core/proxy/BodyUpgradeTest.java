package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.route.transform.UpgradePolicy;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestRoute;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests upgrades with any method and with a body, as docker and kubectl send them: the body ends before the tunnel begins, and bytes behind
 * the request belong to the tunnel after a 101 and to the next request otherwise.
 */
@ExtendWith(LeakExtension.class)
class BodyUpgradeTest {

    private static final String UPGRADE = " HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: ";
    private static final String EXEC = "POST /exec/1/start" + UPGRADE + "tcp\r\n";
    private static final String CHUNKED = EXEC + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String AGREE = "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n";
    private static final String NEXT = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryGateway gateway =
            new MemoryGateway(setup().route(route -> TestRoute.with(route, transform("tcp", "spdy/3.1"))));
    private final RawClient client = gateway.client();

    private Setup setup() {
        return MemoryGateway.setup();
    }

    private static RouteTransform transform(String... protocols) {
        UpgradePolicy policy = new UpgradePolicy(List.of(protocols), Duration.ofMinutes(1), Duration.ZERO, 0);
        return KeyDefaults.with(RouteTransform.PLAIN, Map.of("policy", policy));
    }

    @AfterEach
    void close() {
        client.close();
        gateway.close();
    }

    private Line acceptHead(String contained) {
        Line line = gateway.accept();
        assertThat(line.readHead().toLowerCase(Locale.ROOT)).contains(contained);
        return line;
    }

    private void assertTunnel(Line line) {
        client.send("GET / HTTP/1.1\r\n\r\n");
        assertThat(line.read(18)).isEqualTo("GET / HTTP/1.1\r\n\r\n");
        line.send("HTTP/1.1 200 OK\r\n\r\n");
        assertThat(client.readBytes(19)).isEqualTo("HTTP/1.1 200 OK\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({"POST, tcp, 0", "POST, SPDY/3.1, 0", "GET, tcp, -1", "GET, tcp, 0", "OPTIONS, tcp, -1", "PUT, TCP, 4"})
    void anyMethodMayUpgrade(String method, String protocol, int length) {
        String framing = length < 0 ? "" : "Content-Length: " + length + "\r\n";
        client.send(
                method + " /" + UPGRADE + protocol + "\r\n" + framing + "\r\n" + "{}\r\n".repeat(length > 0 ? 1 : 0));
        Line line = acceptHead("\r\nupgrade: " + protocol.toLowerCase(Locale.ROOT) + "\r\n");
        if (length > 0) {
            assertThat(line.read(4)).isEqualTo("{}\r\n");
        }
        line.send(AGREE.replace("tcp", protocol) + "early");
        RawClient.Response agreed = client.readHead();
        assertThat(agreed.status()).isEqualTo(101);
        assertThat(agreed.field("Upgrade")).isEqualTo(protocol);
        assertThat(client.readBytes(5)).isEqualTo("early");
        assertTunnel(line);
    }

    @Test
    void bytesBehindTheBodyWaitForTheResponse() {
        client.send(EXEC + "Content-Length: 2\r\n\r\n{}" + NEXT);
        Line line = acceptHead("\r\ncontent-length: 2\r\n");
        assertThat(line.read(2)).isEqualTo("{}");
        client.send("more");
        line.send(AGREE);
        assertThat(client.readHead().status()).isEqualTo(101);
        assertThat(line.read(NEXT.length() + 4)).isEqualTo(NEXT + "more");
    }

    @Test
    void aChunkedBodyEndsBeforeTheTunnelBegins() {
        client.send(CHUNKED + "2\r\n{}\r\n0\r\n\r\n" + "tunnel");
        Line line = acceptHead("\r\ntransfer-encoding: chunked\r\n");
        assertThat(line.readUntil("0\r\n\r\n")).isEqualTo("2\r\n{}\r\n0\r\n\r\n");
        line.send(AGREE);
        assertThat(client.readHead().status()).isEqualTo(101);
        assertThat(line.read(6)).isEqualTo("tunnel");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n", ""})
    void aBodyThatFailsAfterTheAgreementOpensNoTunnel(String rest) {
        client.send(CHUNKED + "2\r\n{}\r\n");
        Line line = acceptHead("\r\nupgrade: tcp\r\n");
        assertThat(line.read(7)).isEqualTo("2\r\n{}\r\n");
        line.send(AGREE + "early");
        if (rest.isEmpty()) {
            client.finish();
        } else {
            assertThat(client.send(rest).read().status()).isEqualTo(400);
        }
        assertThat(client.closedByPeer()).isTrue();
        assertThat(line.closedByPeer()).isTrue();
        assertThat(gateway.ended()).hasSize(1);
    }

    @Test
    void withoutAnAgreementTheBodyStaysABodyAndTheNextRequestIsOne() {
        client.send(EXEC + "Content-Length: 2\r\n\r\n{}" + NEXT);
        Line line = acceptHead("\r\nupgrade: tcp\r\n");
        assertThat(line.read(2)).isEqualTo("{}");
        line.ok("no");
        assertThat(client.read().body()).isEqualTo("no");
        assertThat(line.readHead())
                .as("checked as a request")
                .startsWith("GET /next ")
                .contains("via: ");
        line.ok("next");
        assertThat(client.read().body()).isEqualTo("next");
    }

    @Test
    void aSmuggledRequestBehindTheBodyIsChecked() {
        client.send(EXEC + "Content-Length: 2\r\n\r\n{}GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n");
        Line line = acceptHead("\r\nupgrade: tcp\r\n");
        assertThat(line.read(2)).isEqualTo("{}");
        line.ok("no");
        assertThat(client.read().body()).isEqualTo("no");
        assertThat(client.read().status()).isEqualTo(400);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "not listed | POST /~Connection: upgrade~Upgrade: other~Content-Length: 2~~{}",
                "never h2c | POST /~Connection: upgrade, http2-settings~Upgrade: h2c~HTTP2-Settings: AAMAAABkAAQAAP__~Content-Length: 2~~{}",
                "never H2C | GET /~Connection: upgrade~Upgrade: H2C~~",
                "a list | POST /~Connection: upgrade~Upgrade: tcp, h2c~Content-Length: 2~~{}",
                "websocket is a GET | POST /~Connection: upgrade~Upgrade: websocket~Content-Length: 0~~",
                "websocket has no body | GET /~Connection: upgrade~Upgrade: WebSocket~Content-Length: 2~~{}",
                "not an option | POST /~Upgrade: tcp~Content-Length: 2~~{}",
            })
    void otherUpgradesAreForwardedAsRequestsAndOpenNothing(String reason, String request) {
        MemoryGateway listing =
                new MemoryGateway(setup().route(route -> TestRoute.with(route, transform("tcp", "websocket"))));
        try (listing;
                RawClient visitor = listing.client()) {
            String text = request.replace("~", "\r\n").replace("/\r\n", "/ HTTP/1.1\r\nHost: h\r\n");
            visitor.send(text);
            Line line = listing.accept();
            assertThat(line.readHead().toLowerCase(Locale.ROOT)).as(reason).doesNotContain("upgrade");
            if (text.endsWith("{}")) {
                assertThat(line.read(2)).isEqualTo("{}");
            }
            line.send(AGREE);
            assertThat(visitor.read().status()).as("unrequested 101").isEqualTo(502);
        }
    }

    @Test
    void aSlowBodyIsRefusedInSpiteOfTheUpgrade() {
        MinBodyRate rate = new MinBodyRate(1_000_000, Duration.ofSeconds(1));
        try (MemoryGateway guarded = new MemoryGateway(
                        setup().route((Route route) -> TestRoute.with(TestRoute.with(route, transform("tcp")), rate)));
                RawClient slow = guarded.client()) {
            slow.send(EXEC + "Content-Length: 4\r\n\r\nab");
            assertThat(guarded.accept().readHead().toLowerCase(Locale.ROOT)).contains("\r\nupgrade: tcp\r\n");
            guarded.pass(Duration.ofSeconds(5));
            assertThat(slow.read().status()).isEqualTo(408);
        }
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
        Setup setup = setup().toHttp2(null).route(route -> TestRoute.with(route, transform("tcp")));
        try (MemoryGateway over = new MemoryGateway(setup);
                RawClient visitor = over.client()) {
            visitor.send(NEXT);
            FrameClient line = over.accept2(8, 1); // extended CONNECT
            line.await(FrameClient.HEADERS);
            line.headers(1, true, ":status", "204");
            assertThat(visitor.read().status()).isEqualTo(204);
            visitor.send(EXEC + "Content-Length: 2\r\n\r\n{}");
            assertThat(visitor.read().status()).isEqualTo(501);
        }
    }
}
