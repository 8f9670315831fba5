package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.PING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tests how HTTP/2 connections end without a fault. */
class GracefulShutdownIT extends StreamFixture {

    @Test
    void sendsTwoGoawaysAndLetsStreamsEnd() throws Exception {
        CountDownLatch response = new CountDownLatch(1);
        origin.behave((request, socket) -> {
            uninterrupted(response);
            Behaviour.ok("late").response(request, socket);
        });
        ExecutorService main = Executors.newSingleThreadExecutor();
        try (FrameClient client = client()) {
            client.get(1, "/");
            await().until(() -> !origin.received().isEmpty());
            Future<Integer> drained = main.submit(() -> gateway.server().drain(Duration.ofSeconds(10)));
            Frame first = client.await(GOAWAY);
            assertThat(first.number(0)).isEqualTo(Integer.MAX_VALUE);
            assertThat(first.error()).isEqualTo("NO_ERROR");
            Frame ping = client.await(PING);
            client.get(3, "/on-its-way");
            client.frame(PING, FrameClient.ACK, 0, ping.payload());
            Frame last = client.await(GOAWAY);
            assertThat(last.number(0)).isEqualTo(3);
            response.countDown();
            assertThat(client.response(1).body()).isEqualTo("late");
            assertThat(client.response(3).body()).isEqualTo("late");
            assertThat(client.closedByPeer()).isTrue();
            client.finish(); // the gateway waits for it, five seconds at most
            assertThat(drained.get()).isZero();
        } finally {
            main.shutdownNow();
        }
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
