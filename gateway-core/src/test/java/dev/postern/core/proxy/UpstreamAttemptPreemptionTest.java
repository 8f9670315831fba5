package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.ResponseHead;
import dev.postern.core.testing.FakeTunnelPeer;
import dev.postern.core.testing.FakeUpstreamStream;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.upstream.share.Activity;
import dev.postern.core.upstream.share.Activity.Kind;
import dev.postern.core.upstream.share.Preemption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what an attempt says about the side that it waits for, and how it ends when another exchange needs its connection. */
@ExtendWith(LeakExtension.class)
class UpstreamAttemptPreemptionTest {

    private static final Duration TEN = Duration.ofSeconds(10);

    private final AttemptFixture attempt = new AttemptFixture();

    private Activity activity() {
        return attempt.start().activity(attempt.client().now());
    }

    private static Activity activity(Kind kind, Duration time) {
        return new Activity(kind, time.toNanos());
    }

    // ---- activity

    @Test
    void awaitsTheUpstream() {
        attempt.start();
        attempt.client().pass(TEN);
        assertThat(activity()).isEqualTo(activity(Kind.UPSTREAM, TEN));
    }

    @Test
    void awaitsTheBodyOfTheClient() {
        attempt.client().post();
        attempt.start();
        attempt.client().pass(TEN);
        assertThat(activity()).isEqualTo(activity(Kind.CLIENT, TEN));

        attempt.client().body().send("x".repeat(1 << 20));
        assertThat(activity()).as("bytes take time back").isEqualTo(activity(Kind.CLIENT, Duration.ZERO));

        attempt.client().body().end();
        attempt.client().pass(TEN);
        assertThat(activity()).isEqualTo(activity(Kind.UPSTREAM, TEN));
    }

    @Test
    void aClientWithoutAWindowOwesNothing() {
        attempt.client().post();
        attempt.start();
        attempt.client().pass(TEN);
        attempt.client().body().block();
        assertThat(activity()).isEqualTo(activity(Kind.CLIENT, Duration.ZERO));
        attempt.client().pass(TEN);
        assertThat(activity()).isEqualTo(activity(Kind.CLIENT, Duration.ZERO));
    }

    @Test
    void aClientWhoseBytesTheUpstreamDoesNotTakeOwesNothing() {
        attempt.client().post();
        attempt.start();
        attempt.stream().fill();
        attempt.client().body().send("x");
        attempt.client().pass(TEN);
        assertThat(activity()).isEqualTo(activity(Kind.UPSTREAM, TEN));

        attempt.stream().drain();
        assertThat(activity()).isEqualTo(activity(Kind.CLIENT, Duration.ZERO));
        attempt.client().pass(TEN);
        assertThat(activity()).isEqualTo(activity(Kind.CLIENT, TEN));
    }

    @Test
    void awaitsTheClientThatTakesNoResponse() {
        attempt.start();
        attempt.head(200);
        attempt.response().fill(4);
        attempt.content("data");
        attempt.client().pass(TEN);
        assertThat(activity()).isEqualTo(activity(Kind.CLIENT, TEN));
    }

    @Test
    void aResponseWithoutBytesIsOpen() {
        attempt.start();
        attempt.head(200);
        attempt.content("data");
        attempt.client().pass(TEN);
        assertThat(activity()).isEqualTo(activity(Kind.OPEN, TEN));
    }

    // ---- preemption

    @ParameterizedTest
    @EnumSource
    void refusesAsTheSideDeserves(Preemption cause) {
        attempt.client().post();
        attempt.start().preempted(cause);
        assertThat(attempt.response().status())
                .as("the client has not sent its body")
                .isEqualTo(408);
        assertThat(attempt.exchange().outcome().reason()).isEqualTo(cause.label());
        assertThat(attempt.stream().aborted()).isTrue();

        AttemptFixture other = new AttemptFixture();
        other.start().preempted(cause);
        assertThat(other.response().status()).as("the upstream may have acted").isEqualTo(504);
        assertThat(other.exchange().outcome().reason()).isEqualTo(cause.label());

        AttemptFixture responding = new AttemptFixture();
        responding.start();
        responding.head(200);
        responding.start().preempted(cause);
        assertThat(responding.response().isCut()).isTrue();
    }

    @Test
    void closesATunnel() {
        attempt.client().request().majorVersion(2).upgrade("websocket");
        FakeTunnelPeer client = new FakeTunnelPeer(attempt.client().loop());
        attempt.response().tunnels(client);
        attempt.start();
        FakeUpstreamStream accepted = new FakeUpstreamStream();
        attempt.stream().upstream().upgraded(new ResponseHead().status(200), accepted);
        attempt.client().pass(TEN);
        assertThat(activity()).isEqualTo(activity(Kind.OPEN, TEN));

        attempt.start().preempted(Preemption.SHARE);
        assertThat(attempt.exchange().outcome().reason()).isEqualTo("network-share");
        assertThat(client.end()).isEqualTo("closed");
        assertThat(accepted.aborted()).isTrue();
        assertThat(attempt.response().isCut()).isFalse();
    }
}
