package dev.postern.core.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Outcome.UpstreamUse;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.testing.FakeTunnelPeer;
import dev.postern.core.testing.FakeUpstreamStream;
import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests upgrades that the upstream accepts: over a connection or a stream, for clients of both protocol versions. */
@ExtendWith(LeakExtension.class)
class UpstreamUpgradeTest {

    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ=="; // of RFC 6455 section 1.3
    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    private final AttemptFixture attempt = new AttemptFixture();
    private final FakeTunnelPeer client = new FakeTunnelPeer(attempt.client().loop());
    private final FakeUpstreamStream stream = new FakeUpstreamStream();

    private final List<EmbeddedChannel> connections = new ArrayList<>();

    @AfterEach
    void close() {
        connections.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    private EmbeddedChannel connection() {
        EmbeddedChannel channel =
                EmbeddedChannel.builder().ticker(attempt.client().ticker()).build();
        channel.config().setAutoRead(false);
        connections.add(channel);
        return channel;
    }

    private void ask(int version, String protocol) {
        attempt.client().request().majorVersion(version).upgrade(protocol);
        attempt.client().request().add(WebSocketKey.KEY, KEY);
        attempt.start();
    }

    private static ResponseHead switching() {
        ResponseHead head = new ResponseHead().status(101);
        head.add(FieldName.CONNECTION, "upgrade");
        head.add(FieldName.UPGRADE, "as the upstream spells it");
        return head;
    }

    private static ByteBuf early(String text) {
        return Unpooled.copiedBuffer(text, ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"websocket", "WebSocket", "tcp"})
    void joinsAConnectionToAConnection(String protocol) {
        attempt.response().tunnels(client);
        ask(1, protocol);
        EmbeddedChannel upstream = connection();
        attempt.stream().upstream().upgraded(switching(), upstream, early("early"));

        assertThat(attempt.response().status()).isEqualTo(101);
        assertThat(attempt.response().values(FieldName.UPGRADE)).containsExactly(protocol);
        assertThat(attempt.response().values(FieldName.CONNECTION)).containsExactly("upgrade");
        assertThat(attempt.exchange().outcome().status()).isEqualTo(101);
        assertThat(attempt.exchange().outcome().upstreamUse()).isEqualTo(UpstreamUse.NONE);
        assertThat(attempt.asked()).containsExactly("tunnelled", "responded 101");
        assertThat(client.received()).isEqualTo("early");
        assertThat(upstream.config().isAutoRead()).isTrue();
        client.send("ping");
        ByteBuf sent = upstream.readOutbound();
        assertThat(sent.toString(ISO_8859_1)).isEqualTo("ping");
        sent.release();
        attempt.start().drop();
        assertThat(attempt.stream().aborted()).as("it is a tunnel").isFalse();
    }

    @Test
    void endsASilentTunnelAfterTheIdleTimeOfTheRoute() {
        attempt.response().tunnels(client);
        ask(1, "websocket");
        EmbeddedChannel upstream = connection();
        attempt.stream().upstream().upgraded(switching(), upstream, Unpooled.EMPTY_BUFFER);
        attempt.client().pass(Duration.ofMinutes(5).minusNanos(1));
        assertThat(client.end()).isEqualTo("open");
        attempt.client().pass(Duration.ofNanos(1));
        assertThat(client.end()).isEqualTo("closed");
        assertThat(upstream.isOpen()).isFalse();
    }

    @Test
    void closesAConnectionWhoseClientIsBehindAnotherResponse() {
        ask(1, "websocket");
        EmbeddedChannel upstream = connection();
        ByteBuf bytes = early("early");
        attempt.stream().upstream().upgraded(switching(), upstream, bytes);
        assertThat(bytes.refCnt()).isZero();
        assertThat(upstream.isOpen()).isFalse();
    }

    /** A client of HTTP/2 sends no key (RFC 8441 section 5.1): the gateway checks the upstream's proof in its place. */
    @Test
    void givesAStreamTheTunnelOfAProvenConnection() {
        attempt.response().tunnels(client);
        ask(2, "websocket");
        ResponseHead head = switching();
        head.add(WebSocketKey.ACCEPT, ACCEPT);
        EmbeddedChannel upstream = connection();
        attempt.stream().upstream().upgraded(head, upstream, Unpooled.EMPTY_BUFFER);
        assertThat(attempt.response().status()).isEqualTo(200);
        assertThat(attempt.response().values(FieldName.UPGRADE)).isEmpty();
        assertThat(attempt.response().values(FieldName.CONNECTION)).isEmpty();
        assertThat(attempt.response().values(WebSocketKey.ACCEPT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo", "S3PPLMBITXAQ9KYGZZHZRBK+XOO="})
    void refusesAConnectionThatProvesNothing(String accept) {
        attempt.response().tunnels(client);
        ask(2, "websocket");
        ResponseHead head = switching();
        if (!accept.isEmpty()) {
            head.add(WebSocketKey.ACCEPT, accept);
        }
        EmbeddedChannel upstream = connection();
        ByteBuf bytes = early("early");
        attempt.stream().upstream().upgraded(head, upstream, bytes);
        assertThat(attempt.response().status()).isEqualTo(502);
        assertThat(attempt.asked()).isEmpty();
        assertThat(upstream.isOpen()).isFalse();
        assertThat(bytes.refCnt()).isZero();
        assertThat(client.received()).isEmpty();
    }

    @Test
    void givesAConnectionTheTunnelOfAStream() {
        attempt.response().tunnels(client);
        ask(1, "websocket");
        attempt.stream().upstream().upgraded(new ResponseHead().status(200).majorVersion(2), stream);
        assertThat(attempt.response().status()).isEqualTo(101);
        assertThat(attempt.response().value(WebSocketKey.ACCEPT)).isEqualTo(ACCEPT);
        assertThat(attempt.asked()).containsExactly("tunnelled", "responded 101");
        assertThat(stream.paused()).isFalse();
        client.send("ping");
        assertThat(stream.flushed()).isEqualTo("ping");
        stream.upstream().content(AttemptFixture.text("pong"));
        stream.upstream().readComplete();
        assertThat(client.received()).isEqualTo("pong");
    }

    @Test
    void leavesTheAcceptFieldOfAConnectionAsItIs() {
        attempt.response().tunnels(client);
        ask(1, "websocket");
        ResponseHead head = switching();
        head.add(WebSocketKey.ACCEPT, "between the two ends");
        EmbeddedChannel upstream = connection();
        attempt.stream().upstream().upgraded(head, upstream, Unpooled.EMPTY_BUFFER);
        assertThat(attempt.response().values(WebSocketKey.ACCEPT)).containsExactly("between the two ends");
    }

    @Test
    void whatFollowsTheUpgradeConcernsTheTunnelAlone() {
        attempt.response().tunnels(client);
        ask(2, "websocket");
        attempt.stream().upstream().upgraded(new ResponseHead().status(200), stream);
        attempt.start().drop();
        attempt.start().late();
        assertThat(attempt.stream().aborted()).isFalse();
        assertThat(client.end()).isEqualTo("open");
    }
}
