package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a connection changes its protocol only after client, route and upstream have agreed (RFC 9110 section 7.8). */
@ExtendWith(LeakExtension.class)
class UpgradeIT {

    private static final String ASK =
            "GET /chat HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    private static final String AGREE =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    private final RawOrigin origin = new RawOrigin();
    private final CoreGateway gateway = new CoreGateway(setup());
    private final RawClient client = new RawClient(gateway.port());

    private Setup setup() {
        return Setup.of(origin.address());
    }

    @AfterEach
    void close() {
        client.close();
        gateway.close();
        origin.close();
    }

    @Test
    void relaysBothWaysAfterAgreement() {
        client.send(ASK);
        Line line = origin.accept();
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
        await().until(() -> gateway.ended().size() == 1);
        assertThat(gateway.ended().get(0).outcome().status()).isEqualTo(101);
    }

    @Test
    void exchangesWithATunnelEndWhenItCloses() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        try (CoreGateway watched = new CoreGateway(setup().admit(new EndListener(ended)));
                RawClient visitor = new RawClient(watched.port())) {
            visitor.send(ASK);
            Line line = origin.accept();
            line.readHead();
            line.send(AGREE);
            assertThat(visitor.read().status()).isEqualTo(101);
            await().until(() -> watched.ended().size() == 1);
            assertThat(ended.getCount()).as("its tunnel is open").isOne();
            visitor.reset();
            line.reset();
            assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Counts ended exchanges. */
    private static final class EndListener extends ExchangeStage {

        private final CountDownLatch ended;

        private EndListener(CountDownLatch ended) {
            super(StageName.ADMIT);
            this.ended = ended;
        }

        @Override
        protected void onExchange(Exchange exchange) {
            exchange.whenOver(ended::countDown);
            proceed(exchange);
        }
    }

    @Test
    void eachDirectionEndsSeparately() {
        client.send(ASK);
        Line line = origin.accept();
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
        UpstreamSettings.Pool one =
                new UpstreamSettings.Pool(true, 1, 0, Duration.ofSeconds(55), true, Duration.ofMinutes(10), 0, 100);
        try (TestOrigin site = new TestOrigin();
                CoreGateway small = new CoreGateway(Setup.of(site.address()).pool(one));
                RawClient first = new RawClient(small.port());
                RawClient second = new RawClient(small.port())) {
            site.behave((request, socket) -> (request.line().startsWith("GET /chat ")
                            ? TestOrigin.Behaviour.raw(AGREE)
                            : TestOrigin.Behaviour.ok("hello"))
                    .response(request, socket));
            assertThat(first.send(ASK).read().status()).isEqualTo(101);
            assertThat(second.get("/").body()).contains("upstream-busy");
            first.reset();
            await().until(() -> second.get("/").status() == 200);
        }
    }
}
