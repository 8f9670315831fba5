package dev.postern.core.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests connections that arrive while the event loop is busy. */
class ConnectionBurstIT {

    private static final int CLIENTS = 50;

    @Test
    void acceptsManyConnectionsInOneIterationOfTheLoop() throws Exception {
        Deque<Socket> sockets = new ArrayDeque<>();
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Integer> accepted = new CompletableFuture<>();
        try (CoreGateway gateway = new CoreGateway(CoreGateway.Setup.of("127.0.0.1:1"))) {
            EventLoop loop = gateway.loop();
            loop.execute(() -> {
                awaitQuietly(busy);
                // A task scheduled now runs after the loop has polled its sockets once.
                loop.schedule(() -> accepted.complete(gateway.server().connections()), 0, TimeUnit.NANOSECONDS);
            });
            for (int i = 0; i < CLIENTS; i++) {
                sockets.add(new Socket("127.0.0.1", gateway.port()));
            }
            busy.countDown();

            assertThat(accepted.get(30, TimeUnit.SECONDS)).isEqualTo(CLIENTS);
        } finally {
            busy.countDown();
            sockets.forEach(ConnectionBurstIT::close);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // closed in either case
        }
    }
}
