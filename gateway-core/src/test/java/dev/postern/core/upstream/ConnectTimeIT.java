package dev.postern.core.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TimingRetry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that an exchange waits for a real connection no longer than the connect time-out; {@code ConnectDeadlineTest} has the rules. */
@ExtendWith(LeakExtension.class)
class ConnectTimeIT {

    private static final Duration CONNECT = Duration.ofMillis(2_500);
    private static final Duration SOON = Duration.ofSeconds(1);

    /** The time-outs of two pending connections do not add up. */
    @Test
    void waitsNoLongerThanItsOwnTimeOut() throws IOException {
        TimingRetry.run(this::joinAndTimeOut);
    }

    private void joinAndTimeOut(TimingRetry.LagMonitor lag) throws IOException {
        try (FullServer server = new FullServer();
                CoreGateway gateway = new CoreGateway(Setup.of(server.address()).connect(CONNECT));
                FrameClient client = FrameClient.connect(gateway.port())) {
            lag.monitor(gateway.loop());
            client.get(1, "/").reset(1);
            await().pollDelay(SOON).until(() -> gateway.ended().size() == 1);
            client.get(3, "/");
            assertTimedOutBeforeTheSecondConnection(gateway, client);
        }
    }

    /** Verifies that the exchange fails before the second connection does. */
    private static void assertTimedOutBeforeTheSecondConnection(CoreGateway gateway, FrameClient client) {
        assertThat(client.response(3).body()).contains("upstream-connect-timeout");
        assertThat(connectFailures(gateway)).isEqualTo(1);
    }

    private static double connectFailures(CoreGateway gateway) {
        return gateway.count("postern.upstream.connects", "result", "failed");
    }

    /** Server whose accept queue is full, so that a SYN gets no response. */
    private static final class FullServer implements AutoCloseable {

        private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<SocketChannel> queued = new ArrayList<>();

        FullServer() throws IOException {
            for (int i = 0; i < 8; i++) {
                SocketChannel one = SocketChannel.open();
                one.configureBlocking(false);
                one.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
                queued.add(one);
            }
        }

        String address() {
            return "127.0.0.1:" + server.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            for (SocketChannel one : queued) {
                one.close();
            }
            server.close();
        }
    }
}
