package dev.postern.core.http2;

import static dev.postern.core.testing.TestResponse.data;
import static dev.postern.core.testing.TestResponse.head;
import static dev.postern.core.testing.TestResponse.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.certificate.KeyPairFiles;
import dev.postern.core.transport.loop.DrainState;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests how a client connection ends: in two steps, after an idle time, or at once with an error. */
@ExtendWith(LeakExtension.class)
class GracefulShutdownTest {

    private static final Duration LAST_CALL = Duration.ofSeconds(1);
    private static final Duration NANO = Duration.ofNanos(1);

    private final ServerChannel server = new ServerChannel();
    private final FrameClient client = server.client();

    @AfterEach
    void close() {
        server.close();
    }

    private boolean open() {
        return server.channel().isOpen();
    }

    private void drain() {
        server.state().begin();
        server.event(DrainState.BEGUN);
    }

    /** Acknowledges the PING of the first GOAWAY. */
    private void pong() {
        client.frame(FrameClient.PING, FrameClient.ACK, 0, new byte[] {0, 'p', 'o', 's', 't', 'e', 'r', 'n'});
    }

    // ---- in two steps

    @Test
    void servesWhatWasUnderWayBeforeTheFirstGoaway() {
        Exchange first = server.greet().get(1);
        drain();
        assertThat(server.sent()).containsExactly("GOAWAY any NO_ERROR", "PING");
        Exchange second = server.get(3);
        pong();
        assertThat(server.sent()).containsExactly("GOAWAY 3 NO_ERROR");
        ok(first, "one");
        assertThat(open()).isTrue();
        ok(second, "two");

        assertThat(server.sent())
                .containsExactly(
                        "HEADERS 1 200", "DATA 1 one END", "HEADERS 3 200", "DATA 3 two END", "GOAWAY 3 NO_ERROR");
        assertThat(open()).isFalse();
        assertThat(first.outcome().cut() || second.outcome().cut()).isFalse();
    }

    @Test
    void ignoresStreamsAfterTheLastGoaway() {
        Exchange exchange = server.greet().get(1);
        drain();
        pong();
        server.sent();
        client.get(3, "/late");
        Exchange late = server.channel().readInbound();
        assertThat(late).isNull();
        ok(exchange, "one");
        assertThat(server.sent()).contains("DATA 1 one END");
    }

    @Test
    void sendsTheLastGoawayWithoutAnAcknowledgement() {
        server.greet().get(1);
        drain();
        server.sent();
        server.pass(LAST_CALL.minus(NANO));
        assertThat(server.sent()).isEmpty();
        server.pass(NANO);
        assertThat(server.sent()).containsExactly("GOAWAY 1 NO_ERROR");
        pong();
        server.pass(LAST_CALL);
        assertThat(server.sent()).as("once").isEmpty();
    }

    @Test
    void anotherAcknowledgementIsNoLastCall() {
        server.greet().get(1);
        drain();
        server.sent();
        client.frame(FrameClient.PING, FrameClient.ACK, 0, new byte[8]);
        assertThat(server.sent()).isEmpty();
    }

    @Test
    void closesAConnectionWithoutStreamsAtTheLastCall() {
        server.greet();
        drain();
        assertThat(server.sent()).containsExactly("GOAWAY any NO_ERROR", "PING");
        assertThat(open()).isTrue();
        pong();

        assertThat(server.sent()).containsExactly("GOAWAY 0 NO_ERROR");
        assertThat(open()).isFalse();
    }

    @Test
    void announcesItsEndOnce() {
        server.greet().get(1);
        server.state().ask();
        server.event(DrainState.ASKED);
        drain();
        assertThat(server.sent()).containsExactly("GOAWAY any NO_ERROR", "PING");
    }

    @Test
    void announcesItsEndToAConnectionThatIsAcceptedDuringTheDrain() {
        ServerChannel late = new ServerChannel(ServerChannel.Setup.usual(), true);
        late.client().greet();
        assertThat(late.sent()).contains("GOAWAY any NO_ERROR", "PING");
        late.close();
    }

    /** A new connection of a replaced listener: before its first request it would only be opened again. */
    @Test
    void announcesItsEndWithTheFirstRequestWhenTheListenerIsReplaced() {
        server.state().ask();
        server.greet();
        assertThat(server.sent()).isEmpty();
        server.get(1);
        assertThat(server.sent()).containsExactly("GOAWAY any NO_ERROR", "PING");
    }

    // ---- after an idle time

    @Test
    void countsTheIdleTimeFromTheLastStream() {
        Duration keepAlive = TestLimits.CLIENT.keepAliveTimeout();
        Exchange exchange = server.greet().get(1);
        server.pass(keepAlive.multipliedBy(3));
        assertThat(open()).isTrue();
        ok(exchange, "late");
        server.sent();
        server.pass(keepAlive.minus(NANO));
        assertThat(open()).isTrue();

        server.pass(NANO);
        assertThat(server.sent()).containsExactly("GOAWAY 1 NO_ERROR");
        assertThat(open()).isFalse();
        assertThat(server.exceeded()).isEmpty();
    }

    // ---- at once

    static List<Object> ends() {
        return List.of(
                ChannelInputShutdownEvent.INSTANCE,
                SslCloseCompletionEvent.SUCCESS,
                new SslCloseCompletionEvent(new IOException("reset")));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void closesWhenTheClientEndsItsOutput(Object end) {
        Exchange exchange = server.greet().get(1);
        server.event(end);

        assertThat(server.sent()).containsExactly("GOAWAY 1 NO_ERROR");
        assertThat(open()).isFalse();
        assertThat(exchange.outcome().cut()).isTrue();
        assertThat(exchange.ended()).isTrue();
    }

    @Test
    void namesTheErrorAndCutsEveryExchange() {
        Exchange exchange = server.greet().get(1);
        exchange.response().head(head(200));
        exchange.response().data(data("held"));
        client.window(0, 0);

        assertThat(server.sent()).hasSize(1).first().asString().startsWith("GOAWAY 1 PROTOCOL_ERROR ");
        assertThat(open()).isFalse();
        assertThat(exchange.outcome().cut()).isTrue();
    }

    @Test
    void readsNothingAfterAnError() {
        server.greet();
        server.channel().blocked(true);
        byte[] wrong = FrameClient.raw(FrameClient.WINDOW_UPDATE, 0, 0, new byte[4]);
        byte[] get = FrameClient.raw(
                FrameClient.HEADERS,
                FrameClient.END_HEADERS | FrameClient.END_STREAM,
                1,
                FieldBlock.of(FrameClient.request("GET", "/")));
        byte[] both = Arrays.copyOf(wrong, wrong.length + get.length);
        System.arraycopy(get, 0, both, wrong.length, get.length);
        client.bytes(both).get(3, "/");

        Exchange none = server.channel().readInbound();
        assertThat(none).isNull();
        assertThat(open()).as("until the GOAWAY is sent").isTrue();
        server.channel().blocked(false);
        assertThat(open()).isFalse();
        assertThat(server.sent()).hasSize(1);
    }

    @Test
    void closesWhenAFaultyClientDoesNotReadTheGoaway() {
        server.greet();
        server.channel().blocked(true);
        client.window(0, 0);
        server.pass(Duration.ofSeconds(2).minus(NANO));
        assertThat(open()).isTrue();
        server.pass(NANO);
        assertThat(open()).isFalse();
    }

    @Test
    void waitsForASlowReaderWithoutAFault() {
        server.greet();
        server.channel().blocked(true);
        server.event(ChannelInputShutdownEvent.INSTANCE);
        server.pass(Duration.ofSeconds(10));
        assertThat(open()).isTrue();
        server.channel().blocked(false);
        assertThat(open()).isFalse();
    }

    @Test
    void aFailureOfAHandlerIsAnInternalError() {
        server.greet();
        server.channel().pipeline().fireExceptionCaught(new IllegalStateException("planted"));
        server.channel().runPendingTasks();
        assertThat(server.sent()).hasSize(1).first().asString().startsWith("GOAWAY 0 INTERNAL_ERROR");
        assertThat(open()).isFalse();
    }

    @Test
    void aResetOfTheSocketClosesWithoutAGoaway() {
        Exchange exchange = server.greet().get(1);
        server.channel().pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
        server.channel().runPendingTasks();
        assertThat(server.sent()).isEmpty();
        assertThat(open()).isFalse();
        assertThat(exchange.ended()).isTrue();
    }

    // ---- TLS

    /** A session without a cipher suite, as an engine has it before its handshake. */
    @Test
    void refusesASessionWithoutAnAdequateCipherSuite(@TempDir Path folder) {
        TestCertificate site = TestCertificate.ec(folder, "site", "dns:site.example");
        ServerTls tls = new ServerTls(
                TestTls.environment(TlsEngine.Kind.JDK),
                new ServerTls.Settings(List.of(new KeyPairFiles(site.certificate(), site.key())), null, "TLSv1.2"),
                List.of(),
                Duration.ofSeconds(5));
        server.channel().pipeline().addLast(tls.handler(server.channel().alloc()));
        client.greet();

        assertThat(server.sent()).anyMatch(frame -> frame.endsWith("INADEQUATE_SECURITY cipher"));
    }
}
