package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.DATA;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tests responses to streams: their flow control, and how each of them ends. */
class StreamResponsesIT extends StreamFixture {

    @Test
    void buffersLittleOfAnUnreadResponse() throws Exception {
        int max = 64 * 1024 * 1024;
        CountDownLatch begun = new CountDownLatch(1);
        ExecutorService writer = Executors.newSingleThreadExecutor();
        java.util.concurrent.atomic.AtomicLong written = new java.util.concurrent.atomic.AtomicLong();
        origin.behave((request, socket) -> {
            socket.getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nContent-Length: " + max + "\r\n\r\n").getBytes(ISO_8859_1));
            begun.countDown();
            byte[] piece = new byte[64 * 1024];
            for (int i = 0; i < max; i += piece.length) {
                socket.getOutputStream().write(piece);
                written.addAndGet(piece.length);
            }
        });
        try (FrameClient client = client(4, 0)) {
            client.get(1, "/big");
            uninterrupted(begun);
            Future<Long> stalled = writer.submit(() -> {
                long previous = -1;
                while (written.get() != previous) {
                    previous = written.get();
                    assertThat(client.outcome(0)).isEqualTo("ALIVE");
                    java.util.concurrent.locks.LockSupport.parkNanos(200_000_000);
                }
                return previous;
            });
            assertThat(stalled.get()).as("the capacity of sockets and 64 KiB").isLessThan(max / 2);
        } finally {
            writer.shutdownNow();
        }
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void resetsTheStreamWhenAResponseWithoutLengthIsReset() {
        CountDownLatch begun = new CountDownLatch(1);
        origin.behave((request, socket) -> {
            Behaviour.raw("HTTP/1.1 200 OK\r\n\r\nhalf").response(request, socket);
            uninterrupted(begun);
            socket.setSoLinger(true, 0);
            socket.close();
        });
        try (FrameClient client = client()) {
            client.get(1, "/");
            client.await(DATA);
            begun.countDown();
            assertThat(client.response(1).reset()).isEqualTo("INTERNAL_ERROR");
        }
    }
}
