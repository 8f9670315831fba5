package dev.postern.core.http2;

import static dev.postern.core.testing.TestResponse.data;
import static dev.postern.core.testing.TestResponse.head;
import static dev.postern.core.testing.TestResponse.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Refusal;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.testing.BodyEvents;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
import dev.postern.core.testing.ServerChannel.Setup;
import dev.postern.core.testing.TestLimits;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the timeouts of a client connection of HTTP/2 and of its streams, on a loop whose time a test moves. */
@ExtendWith(LeakExtension.class)
class StreamTimeoutSweeperTest {

    private static final Duration BODY_IDLE = TestLimits.CLIENT.bodyIdleTimeout();
    private static final Duration WINDOW = KeyDefaults.of(Http2Limits.class).windowTimeout();
    private static final Duration NANO = Duration.ofNanos(1);
    private static final int INITIAL_WINDOW = 4;

    private final ServerChannel server = new ServerChannel();
    private final FrameClient client = server.client();
    private final BodyEvents body = new BodyEvents();

    @AfterEach
    void close() {
        server.close();
    }

    // ---- bodies

    @Test
    void refusesABodyThatDoesNotArrive() {
        Exchange exchange = server.greet().post(1);
        exchange.body().read(body);
        server.pass(BODY_IDLE);
        assertThat(exchange.ended()).isFalse();

        server.pass(BODY_IDLE.dividedBy(2));
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.REQUEST_TIMEOUT);
        assertThat(exchange.outcome().reason()).isEqualTo("body");
        assertThat(body.take()).containsExactly("broken");
        assertThat(server.sent()).contains("HEADERS 1 408");
    }

    @Test
    void keepsABodyThatArrivesInPieces() {
        Exchange exchange = server.greet().post(1);
        exchange.body().read(body);
        for (int i = 0; i < 5; i++) {
            server.pass(BODY_IDLE.minusSeconds(1));
            client.data(1, false, "x");
        }
        assertThat(exchange.outcome().refusal()).isNull();
    }

    @Test
    void keepsABodyThatNobodyReads() {
        Exchange exchange = server.greet().post(1);
        server.pass(BODY_IDLE.multipliedBy(3));
        assertThat(exchange.ended()).isFalse();
        exchange.body().read(body);
        exchange.body().pause();
        server.pass(BODY_IDLE.multipliedBy(3));
        assertThat(exchange.ended()).isFalse();
    }

    /** Once a response has begun, the exchange may be a dialogue in which the upstream is next to send. */
    @Test
    void keepsABodyWhoseResponseHasBegun() {
        Exchange exchange = server.greet().post(1);
        exchange.body().read(body);
        exchange.response().head(head(200));
        exchange.response().flush();
        server.pass(BODY_IDLE.multipliedBy(3));
        client.data(1, true, "late");
        assertThat(body.take()).contains("late", "end").doesNotContain("broken");
        assertThat(exchange.ended()).isFalse();
    }

    @Test
    void resetsAStreamWhoseRestIsDiscardedAndDoesNotArrive() {
        ok(server.greet().post(1), "no");
        server.pass(BODY_IDLE);
        assertThat(server.sent()).noneMatch(frame -> frame.startsWith("RST"));
        server.pass(BODY_IDLE.dividedBy(2));
        assertThat(server.sent()).containsExactly("RST 1 NO_ERROR");
    }

    // ---- windows

    @Test
    void resetsAStreamWhoseWindowStaysShut() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 0).get(1);
        ok(exchange, "hello");
        server.pass(WINDOW);
        assertThat(server.sent()).containsExactly("HEADERS 1 200");

        server.pass(WINDOW.dividedBy(2));
        assertThat(server.sent()).containsExactly("RST 1 CANCEL");
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isTrue();
        assertThat(exchange.outcome().reason()).isEqualTo("window-timeout");
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
    }

    @Test
    void keepsAStreamWhoseWindowOpensNowAndThen() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 0).get(1);
        exchange.response().head(head(200));
        for (int i = 0; i < 5; i++) {
            exchange.response().data(data("x"));
            exchange.response().flush();
            server.pass(WINDOW.minusSeconds(1));
            client.window(1, 1);
        }
        assertThat(exchange.ended()).isFalse();
    }

    @Test
    void keepsAStreamWithNothingToSend() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 0).get(1);
        exchange.response().head(head(200));
        exchange.response().flush();
        server.pass(WINDOW.multipliedBy(3));
        assertThat(exchange.ended()).isFalse();
    }

    @Test
    void endsAConnectionWhoseWindowStaysShut() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 1 << 20).get(1);
        ok(exchange, "x".repeat(70_000));
        server.pass(WINDOW);
        assertThat(server.exceeded()).isEmpty();
        server.pass(WINDOW.dividedBy(2));
        assertThat(server.exceeded()).containsExactly(AbuseLimit.WINDOW_TIMEOUT);
        assertThat(server.sent()).last().asString().isEqualTo("GOAWAY 1 ENHANCE_YOUR_CALM window-timeout");
    }

    /** A single stream may be a paused video; many are an attack. */
    @Test
    void countsStreamsWhoseWindowStaysShut() {
        ServerChannel strict = new ServerChannel(Setup.usual().rates(Rate.of("10/h"), Rate.of("10/h")));
        strict.greet(INITIAL_WINDOW, 0);
        for (int id = 1; id < 23; id += 2) {
            ok(strict.get(id), "x");
        }
        strict.pass(WINDOW.multipliedBy(2));
        assertThat(strict.exceeded()).containsExactly(AbuseLimit.FAULTS);
        strict.close();
    }

    // ---- the socket

    @Test
    void endsAConnectionWhoseSocketAcceptsNothing() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 1 << 20).get(1);
        server.channel().blocked(true);
        ok(exchange, "hello");
        server.pass(WINDOW.multipliedBy(2));

        assertThat(server.exceeded()).containsExactly(AbuseLimit.WINDOW_TIMEOUT);
        assertThat(exchange.outcome().cut()).isTrue();
    }

    @Test
    void keepsAConnectionWhoseSocketAcceptsSomething() {
        Exchange exchange = server.greet().get(1);
        exchange.response().head(head(200));
        for (int i = 0; i < 5; i++) {
            server.channel().blocked(true);
            exchange.response().data(data("x"));
            exchange.response().flush();
            server.pass(WINDOW.minusSeconds(1));
            server.channel().blocked(false);
        }
        assertThat(server.exceeded()).isEmpty();
        assertThat(exchange.ended()).isFalse();
    }

    // ---- the connection

    @Test
    void closesAConnectionWithoutStreams() {
        server.greet();
        server.pass(TestLimits.CLIENT.keepAliveTimeout().minus(NANO));
        assertThat(server.sent()).isEmpty();

        server.pass(NANO);
        assertThat(server.sent()).containsExactly("GOAWAY 0 NO_ERROR");
        assertThat(server.exceeded()).isEmpty();
    }

    @Test
    void closesAConnectionWhoseClientDoesNotAcknowledgeTheSettings() {
        client.acknowledges(false);
        server.greet();
        server.pass(TestLimits.CLIENT.headTimeout().minus(NANO));
        assertThat(server.sent()).isEmpty();

        server.pass(NANO);
        assertThat(server.sent()).containsExactly("GOAWAY 0 SETTINGS_TIMEOUT settings");
    }

    @Test
    void anAcknowledgementInTimeIsEnough() {
        server.greet().get(1);
        server.pass(TestLimits.CLIENT.headTimeout().multipliedBy(2));
        assertThat(server.sent()).isEmpty();
    }
}
