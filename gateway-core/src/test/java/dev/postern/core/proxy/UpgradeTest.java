package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestPool;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a connection changes its protocol only after client, route and upstream have agreed (RFC 9110 section 7.8). */
@ExtendWith(LeakExtension.class)
class UpgradeTest {

    private static final String ASK =
            "GET /chat HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    private static final String AGREE =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    private static final String NEXT = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryGateway gateway = new MemoryGateway(setup());
    private final RawClient client = gateway.client();

    private Setup setup() {
        return MemoryGateway.setup();
    }

    @AfterEach
    void close() {
        client.close();
        gateway.close();
    }

    @Test
    void bytesAfterAnUpgradeWaitForTheResponse() {
        client.send(ASK + "frame");
        Line line = gateway.accept();
        line.readHead();
        line.send(AGREE);
        assertThat(client.read().status()).isEqualTo(101);
        assertThat(line.read(5)).isEqualTo("frame");
    }

    @Test
    void bytesAfterARefusedUpgradeAreARequest() {
        client.send(ASK + "GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n");
        Line line = gateway.accept();
        line.readHead();
        line.ok("no");
        assertThat(client.read().body()).isEqualTo("no");
        assertThat(client.read().status()).as("the smuggled request is checked").isEqualTo(400);
        try (RawClient other = gateway.client()) {
            other.send(NEXT);
            assertThat(line.readHead()).as("it is not forwarded").startsWith("GET /next ");
            line.ok("next");
            assertThat(other.read().body()).isEqualTo("next");
        }
    }

    @Test
    void reusesConnectionsAfterARefusedUpgrade() {
        client.send(ASK);
        Line line = gateway.accept();
        line.readHead();
        line.ok("no");
        assertThat(client.read().body()).isEqualTo("no");
        client.send(NEXT);
        assertThat(line.readHead()).startsWith("GET /next ");
        line.ok("next");
        assertThat(client.read().body()).isEqualTo("next");
    }

    @Test
    void upgradesWaitForAllEarlierResponses() {
        client.send(NEXT + ASK);
        Line line = gateway.accept();
        assertThat(line.readHead()).startsWith("GET /next ");
        line.ok("first");
        assertThat(client.read().body()).isEqualTo("first");
        assertThat(line.readHead()).startsWith("GET /chat ");
        line.send(AGREE);
        assertThat(client.read().status()).isEqualTo(101);
        client.send("x");
        assertThat(line.read(1)).isEqualTo("x");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "not an option of Connection | GET / HTTP/1.1~Host: h~Upgrade: websocket~~",
                "no protocol | GET / HTTP/1.1~Host: h~Connection: upgrade~~",
                "several protocols | GET / HTTP/1.1~Host: h~Connection: upgrade~Upgrade: websocket, x~~",
                "several fields | GET / HTTP/1.1~Host: h~Connection: upgrade~Upgrade: websocket~Upgrade: websocket~~",
                "not allowed here | GET / HTTP/1.1~Host: h~Connection: upgrade~Upgrade: h2c~~",
                "HTTP/1.0 | GET / HTTP/1.0~Host: h~Connection: upgrade~Upgrade: websocket~~",
                "not a GET | HEAD / HTTP/1.1~Host: h~Connection: upgrade~Upgrade: websocket~~",
                "with a body | GET / HTTP/1.1~Host: h~Connection: upgrade~Upgrade: websocket~Content-Length: 1~~x",
            })
    void forwardsInvalidUpgradesAsRequests(String reason, String request) {
        client.send(request.replace("~", "\r\n"));
        Line line = gateway.accept();
        assertThat(line.readHead().toLowerCase(java.util.Locale.ROOT))
                .as(reason)
                .doesNotContain("upgrade");
        if (request.startsWith("HEAD")) {
            line.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(200);
        } else {
            line.send(request.endsWith("x") ? "" : AGREE);
            if (request.endsWith("x")) {
                assertThat(line.read(1)).isEqualTo("x");
                line.send(AGREE);
            }
            assertThat(client.read().status()).as("unrequested 101").isEqualTo(502);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Upgrade: h2c\r\n", "Upgrade: websocket, h2c\r\n"})
    void refusesAnUpgradeToAnotherProtocol(String field) {
        client.send(ASK);
        Line line = gateway.accept();
        line.readHead();
        line.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n" + field + "\r\n");
        Response refused = client.read();
        assertThat(refused.status()).isEqualTo(502);
        assertThat(refused.body()).contains("\"code\":\"upstream-malformed\"");
        assertThat(line.closedByPeer()).isTrue();
    }

    @Test
    void relaysBothWaysAfterAgreement() {
        client.send(ASK);
        Line line = gateway.accept();
        String head = line.readHead();
        assertThat(head.toLowerCase(java.util.Locale.ROOT))
                .contains("\r\nconnection: upgrade\r\n", "\r\nupgrade: websocket\r\n", "sec-websocket-key: ");

        line.send(AGREE + "early");
        Response agreed = client.read();
        assertThat(agreed.status()).isEqualTo(101);
        assertThat(agreed.field("Upgrade")).isEqualTo("websocket");
        assertThat(agreed.field("Connection")).isEqualTo("upgrade");
        assertThat(agreed.field("Sec-WebSocket-Accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        assertThat(agreed.head().toLowerCase(java.util.Locale.ROOT))
                .doesNotContain("content-length", "transfer-encoding");
        assertThat(client.readBytes(5)).isEqualTo("early");

        client.send("GET / HTTP/1.1\r\n\r\n\0\r\n");
        assertThat(line.read(21)).isEqualTo("GET / HTTP/1.1\r\n\r\n\0\r\n");
        line.send("HTTP/1.1 200 OK\r\n\r\n");
        assertThat(client.readBytes(19)).isEqualTo("HTTP/1.1 200 OK\r\n\r\n");
        assertThat(gateway.ended()).hasSize(1);
        assertThat(gateway.ended().get(0).outcome().status()).isEqualTo(101);
    }

    @Test
    void eachDirectionEndsSeparately() {
        client.send(ASK);
        Line line = gateway.accept();
        line.readHead();
        line.send(AGREE);
        client.read();
        client.send("last words").finish();
        assertThat(line.rest()).isEqualTo("last words");
        line.send("answer").finish();
        assertThat(client.readBytes(6)).isEqualTo("answer");
        assertThat(client.closedByPeer()).isTrue();
    }

    @Test
    void tunnelsCountInThePoolUntilTheyClose() {
        UpstreamSettings.Pool one = TestPool.of(1, 0, 100);
        try (MemoryGateway small = new MemoryGateway(setup().pool(one));
                RawClient first = small.client();
                RawClient second = small.client()) {
            MemoryOrigin site = small.origin();
            site.behave((request, socket) -> (request.line().startsWith("GET /chat ")
                            ? TestOrigin.Behaviour.raw(AGREE)
                            : TestOrigin.Behaviour.ok("hello"))
                    .response(request, socket));
            assertThat(first.send(ASK).read().status()).isEqualTo(101);
            assertThat(second.get("/").body()).contains("upstream-busy");
            first.reset();
            assertThat(second.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void exchangesWithATunnelEndWhenItCloses() {
        AtomicInteger over = new AtomicInteger();
        try (MemoryGateway watched = new MemoryGateway(setup().admit(new EndListener(over)));
                RawClient visitor = watched.client()) {
            visitor.send(ASK);
            Line line = watched.acceptRequest().send(AGREE);
            assertThat(visitor.read().status()).isEqualTo(101);
            assertThat(watched.ended()).hasSize(1);
            assertThat(over).as("its tunnel is open").hasValue(0);
            visitor.reset();
            line.reset();
            assertThat(over).hasValue(1);
        }
    }

    /** Counts ended exchanges. */
    private static final class EndListener extends ExchangeStage {

        private final AtomicInteger over;

        private EndListener(AtomicInteger over) {
            super(StageName.ADMIT);
            this.over = over;
        }

        @Override
        protected void onExchange(Exchange exchange) {
            exchange.whenOver(over::incrementAndGet);
            proceed(exchange);
        }
    }
}
