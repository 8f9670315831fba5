package dev.postern.core.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.testing.FakeTunnelPeer;
import dev.postern.core.testing.FakeUpstreamStream;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.upstream.connect.UpstreamResponseHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the end of a tunnel that is a stream to an upstream, joined to a client in memory. */
@ExtendWith(LeakExtension.class)
class UpstreamTunnelPeerTest {

    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final FakeUpstreamStream stream = new FakeUpstreamStream();
    private final FakeTunnelPeer client = new FakeTunnelPeer(loop.eventLoop());
    private final UpstreamTunnelPeer peer = peer();

    private UpstreamTunnelPeer peer() {
        stream.expect(0, Duration.ofSeconds(1));
        return new UpstreamTunnelPeer(stream, loop.eventLoop());
    }

    private void join() {
        TunnelRelay.join(client, peer, Duration.ofMinutes(5), Duration.ZERO);
    }

    private UpstreamResponseHandler upstream() {
        return stream.upstream();
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    @Test
    void readsNothingBeforeTheTunnelBegins() {
        assertThat(stream.paused()).isTrue();
        assertThat(stream.timeout(0)).isNull();
        ByteBuf early = text("early");
        upstream().content(early);
        upstream().readComplete();
        upstream().writable();
        assertThat(early.refCnt()).isZero();
        join();
        assertThat(stream.paused()).isFalse();
        assertThat(peer.loop()).isSameAs(loop.eventLoop());
    }

    @Test
    void relaysInBothDirections() {
        join();
        client.send("to");
        assertThat(stream.flushed()).isEqualTo("to");
        upstream().content(text("back"));
        assertThat(client.received()).isEmpty();
        upstream().readComplete();
        assertThat(client.received()).isEqualTo("back");
    }

    @Test
    void passesBackpressureOnInBothDirections() {
        join();
        stream.fill();
        client.send("x");
        assertThat(client.paused()).isTrue();
        stream.drain();
        assertThat(client.paused()).isFalse();

        client.fill();
        upstream().content(text("y"));
        upstream().readComplete();
        assertThat(stream.paused()).isTrue();
        client.drain();
        assertThat(stream.paused()).isFalse();
    }

    @Test
    void theClientsEndEndsTheBodyOfTheStream() {
        join();
        client.taker().finished();
        assertThat(stream.endSent()).isTrue();
        assertThat(stream.aborted()).isFalse();
        upstream().content(text("still"));
        upstream().readComplete();
        assertThat(client.received()).isEqualTo("still");
    }

    @Test
    void theEndOfTheStreamCompletesTheClient() {
        join();
        upstream().complete();
        assertThat(client.end()).isEqualTo("completed");
        client.taker().finished();
        client.taker().gone();
        assertThat(stream.endSent()).as("the stream is over").isFalse();
        assertThat(stream.aborted()).isFalse();
    }

    @Test
    void aStreamThatFailsClosesTheClient() {
        join();
        upstream().failed(Refusal.UPSTREAM_CLOSED, false);
        assertThat(client.end()).isEqualTo("closed");
        client.taker().gone();
        assertThat(stream.aborted()).isFalse();
    }

    @Test
    void aStreamThatEndsBeforeTheTunnelBeginsIsGone() {
        upstream().complete();
        join();
        assertThat(client.end()).isEqualTo("closed");

        FakeUpstreamStream failing = new FakeUpstreamStream();
        UpstreamTunnelPeer other = new UpstreamTunnelPeer(failing, loop.eventLoop());
        failing.upstream().failed(Refusal.UPSTREAM_CLOSED, true);
        FakeTunnelPeer otherClient = new FakeTunnelPeer(loop.eventLoop());
        TunnelRelay.join(otherClient, other, Duration.ofMinutes(5), Duration.ZERO);
        assertThat(otherClient.end()).isEqualTo("closed");
    }

    @Test
    void aClientThatIsGoneAbortsTheStreamOnce() {
        join();
        client.taker().gone();
        peer.close();
        assertThat(stream.aborted()).isTrue();
    }

    /** A tunnel carries no responses, and its own timers replace those of the exchange. */
    @Test
    void headsAndTimeoutsOfTheExchangeMeanNothing() {
        join();
        upstream().interim(new ResponseHead().status(103));
        upstream().head(new ResponseHead().status(200));
        upstream().late();
        assertThat(client.end()).isEqualTo("open");
        assertThat(client.written()).isEmpty();
    }
}
