package dev.postern.core.http2;

import static dev.postern.core.testing.TestResponse.data;
import static dev.postern.core.testing.TestResponse.head;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Method;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.testing.TunnelEvents;
import dev.postern.core.transport.loop.DrainState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests tunnels that are streams of a client: CONNECT (RFC 9113 section 8.5) and extended CONNECT (RFC 8441). */
@ExtendWith(LeakExtension.class)
class StreamTunnelTest {

    private static final int INITIAL_WINDOW = 4;
    private static final Duration WINDOW = KeyDefaults.of(Http2Limits.class).windowTimeout();

    private final ServerChannel server =
            new ServerChannel(ServerChannel.Setup.usual().forward());
    private final FrameClient client = server.client();
    private final TunnelEvents tunnel = new TunnelEvents();

    @AfterEach
    void close() {
        server.close();
    }

    private Exchange connect(int... settings) {
        server.greet(settings);
        client.headers(1, false, ":method", "CONNECT", ":authority", "h.example:443");
        Exchange exchange = server.exchange();
        exchange.response().head(head(200, "content-length", "0"));
        exchange.response().tunnel(tunnel);
        return exchange;
    }

    private void write(String text) {
        tunnel.client().write(data(text));
        tunnel.client().flush();
    }

    @Test
    void relaysBothWays() {
        Exchange exchange = connect();
        assertThat(server.sent()).containsExactly("HEADERS 1 200");
        assertThat(client.soFar(1).field("content-length"))
                .as("no bound of a tunnel")
                .isEmpty();
        client.data(1, false, "ping");
        assertThat(tunnel.take()).containsExactly("ping", "read");
        write("pong");
        assertThat(server.sent()).containsExactly("DATA 1 pong");
        assertThat(exchange.outcome().bytesIn()).isEqualTo(4);
        assertThat(exchange.outcome().bytesOut()).isEqualTo(4);
        assertThat(exchange.ended()).isFalse();
    }

    @Test
    void relaysWhatCameBeforeTheTunnelOpened() {
        server.greet();
        client.headers(1, false, ":method", "CONNECT", ":authority", "h.example:443")
                .data(1, false, "early");
        Exchange exchange = server.exchange();
        exchange.response().head(head(200));
        exchange.response().tunnel(tunnel);

        assertThat(tunnel.take()).containsExactly("early", "read");
    }

    // ---- ends

    @Test
    void theClientEndsFirst() {
        Exchange exchange = connect();
        client.data(1, true, "last");
        assertThat(tunnel.take()).containsExactly("last", "finished", "read");
        write("answer");
        tunnel.client().finish();

        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 answer END");
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isFalse();
        assertThat(tunnel.take()).containsExactly("gone");
    }

    @Test
    void theDestinationEndsFirst() {
        Exchange exchange = connect();
        tunnel.client().finish();
        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 END");
        assertThat(exchange.ended()).isFalse();
        client.data(1, false, "more");
        assertThat(tunnel.take()).containsExactly("more", "read");
        client.data(1, true, "last");

        assertThat(tunnel.take()).containsExactly("last", "finished", "gone", "read");
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isFalse();
        assertThat(server.sent()).noneMatch(frame -> frame.startsWith("RST"));
    }

    /** The end of the exchange would drop what a paused destination has not read. */
    @Test
    void handsOverWhatAPausedDestinationHasNotRead() {
        connect();
        tunnel.client().pause();
        tunnel.client().finish();
        client.data(1, false, "held").data(1, true, " last");

        assertThat(tunnel.take()).containsExactly("held last", "finished", "read", "gone");
    }

    @Test
    void theDestinationCompletesTheTunnel() {
        Exchange exchange = connect();
        write("bye");
        tunnel.client().complete();

        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 bye END");
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isFalse();
    }

    @Test
    void theDestinationFails() {
        Exchange exchange = connect();
        write("some");
        tunnel.client().close();

        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 some", "RST 1 CONNECT_ERROR");
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isTrue();
        assertThat(tunnel.take()).contains("gone");
    }

    @Test
    void theDestinationFailsAfterItsEnd() {
        Exchange exchange = connect();
        tunnel.client().finish();
        server.sent();
        tunnel.client().close();

        assertThat(server.sent()).containsExactly("RST 1 CONNECT_ERROR");
        assertThat(exchange.outcome().cut()).isTrue();
    }

    @Test
    void aFailureAfterBothEndsChangesNothing() {
        Exchange exchange = connect(INITIAL_WINDOW, 0);
        write("queued");
        tunnel.client().finish();
        client.data(1, true, "");
        tunnel.client().close();
        assertThat(server.sent()).noneMatch(frame -> frame.startsWith("RST"));
        client.window(1, 100);

        assertThat(server.sent()).contains("DATA 1 queued END");
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isFalse();
    }

    @Test
    void malformedContentResetsTheStream() {
        connect();
        tunnel.client().reject();
        assertThat(server.sent()).containsExactly("HEADERS 1 200", "RST 1 PROTOCOL_ERROR");
    }

    @Test
    void theClientResets() {
        Exchange exchange = connect();
        client.reset(1);
        assertThat(tunnel.take()).contains("gone");
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isTrue();
    }

    @Test
    void theClientResetsAfterTheEndOfTheDestination() {
        Exchange exchange = connect();
        tunnel.client().finish();
        server.sent();
        client.reset(1);
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isTrue();
    }

    @Test
    void aConnectMayEndTheClientsSideAtOnce() {
        server.greet();
        client.headers(1, true, ":method", "CONNECT", ":authority", "h.example:443");
        Exchange exchange = server.exchange();
        exchange.response().head(head(200));
        exchange.response().tunnel(tunnel);
        assertThat(tunnel.take()).containsExactly("finished");
        write("bye");
        tunnel.client().finish();

        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 bye END");
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isFalse();
    }

    @Test
    void trailersEndTheClientsSide() {
        connect();
        client.headers(1, true, "x-sum", "7");
        assertThat(tunnel.take()).containsExactly("finished");
    }

    @Test
    void invalidTrailersResetAHalfClosedTunnel() {
        Exchange exchange = connect();
        tunnel.client().finish();
        server.sent();
        client.headers(1, true, ":path", "/");

        assertThat(server.sent()).containsExactly("RST 1 PROTOCOL_ERROR");
        assertThat(exchange.outcome().cut()).isTrue();
        assertThat(tunnel.take()).contains("gone");
    }

    // ---- flow control

    @Test
    void aClosedWindowEndsNoTunnelWhoseClientMaySend() {
        Exchange exchange = connect(INITIAL_WINDOW, 0);
        write("queued");
        server.pass(WINDOW.multipliedBy(3));
        assertThat(exchange.ended()).isFalse();
        tunnel.client().finish();
        server.pass(WINDOW.multipliedBy(3));
        assertThat(exchange.ended()).isFalse();
    }

    @Test
    void aClientWhoseWindowStaysClosedIsResetAfterBothHaveEnded() {
        Exchange exchange = connect(INITIAL_WINDOW, 0);
        write("queued");
        client.data(1, true, "");
        tunnel.client().finish();
        server.pass(WINDOW.multipliedBy(2));

        assertThat(server.sent()).contains("RST 1 CANCEL");
        assertThat(exchange.outcome().cut()).isTrue();
    }

    @Test
    void aDestinationThatReadsNothingKeepsTheWindowShut() {
        connect();
        tunnel.client().pause();
        server.sent();
        for (int i = 0; i < 4; i++) {
            client.data(1, false, "x".repeat(16_000));
        }
        assertThat(server.sent()).isEmpty();
        tunnel.client().resume();

        assertThat(server.sent()).anyMatch(frame -> frame.startsWith("WINDOW 1"));
        assertThat(tunnel.take()).endsWith("read");
    }

    @Test
    void aClientThatReadsNothingPausesTheDestination() {
        connect(INITIAL_WINDOW, 0);
        write("x".repeat(70_000));
        assertThat(tunnel.client().writable()).isFalse();
        client.window(0, 100_000).window(1, 100_000);

        assertThat(tunnel.take()).containsExactly("writable");
        assertThat(tunnel.client().writable()).isTrue();
    }

    @Test
    void aSilentTunnelIsNotStalled() {
        Exchange exchange = connect();
        server.pass(TestLimits.CLIENT.bodyIdleTimeout().multipliedBy(3));
        assertThat(exchange.ended()).isFalse();
        tunnel.client().finish();
        server.pass(TestLimits.CLIENT.bodyIdleTimeout().multipliedBy(3));
        assertThat(exchange.ended()).isFalse();
    }

    // ---- drain

    @Test
    void aDrainIsAnnouncedToTheTunnel() {
        Exchange exchange = connect();
        server.state().begin();
        server.event(DrainState.BEGUN);
        assertThat(tunnel.take()).containsExactly("draining");
        assertThat(exchange.ended()).isFalse();
    }

    @Test
    void aReplacedListenerKeepsItsTunnels() {
        connect();
        server.state().ask();
        server.event(DrainState.ASKED);
        assertThat(tunnel.take()).isEmpty();
    }

    @Test
    void aTunnelThatOpensDuringADrainHearsOfIt() {
        server.greet();
        client.headers(1, false, ":method", "CONNECT", ":authority", "h.example:443");
        Exchange exchange = server.exchange();
        server.state().begin();
        server.event(DrainState.BEGUN);
        exchange.response().head(head(200));
        exchange.response().tunnel(tunnel);

        assertThat(tunnel.take()).containsExactly("draining");
    }

    /** The client's side of a completed tunnel may stay open for ever. */
    @Test
    void aDrainResetsACompletedTunnel() {
        connect();
        tunnel.client().complete();
        assertThat(server.sent()).noneMatch(frame -> frame.startsWith("RST"));
        server.state().begin();
        server.event(DrainState.BEGUN);

        assertThat(server.sent()).contains("RST 1 NO_ERROR");
    }

    @Test
    void aTunnelThatCompletesDuringADrainIsReset() {
        connect();
        server.state().begin();
        server.event(DrainState.BEGUN);
        tunnel.client().complete();

        assertThat(server.sent()).contains("RST 1 NO_ERROR");
    }

    // ---- extended CONNECT

    @Test
    void aWebSocketIsAnUpgradeOfGet() {
        ServerChannel site = new ServerChannel().greet();
        site.client()
                .headers(
                        1,
                        false,
                        ":method",
                        "CONNECT",
                        ":protocol",
                        "websocket",
                        ":scheme",
                        "http",
                        ":authority",
                        "a.example",
                        ":path",
                        "/chat?a=b");
        Exchange exchange = site.exchange();
        assertThat(exchange.request().method()).isEqualTo(Method.GET);
        assertThat(exchange.request().upgrade()).isEqualTo("websocket");
        assertThat(exchange.request().path() + exchange.request().query()).isEqualTo("/chat?a=b");
        assertThat(exchange.request().hasBody()).isFalse();
        exchange.response().head(head(200));
        exchange.response().tunnel(tunnel);
        site.client().data(1, false, "ping").data(1, true, "");
        tunnel.client().complete();

        assertThat(site.sent()).containsExactly("HEADERS 1 200", "DATA 1 END");
        assertThat(tunnel.take()).containsExactly("ping", "read", "finished", "gone");
        site.close();
    }
}
