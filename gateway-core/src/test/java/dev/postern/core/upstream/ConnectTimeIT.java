package dev.postern.core.upstream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TimingRetry;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that each exchange waits for a connection exactly as long as the connect time-out, whichever exchange the connection was opened for
 * and whatever the exchange waited for before.
 */
@ExtendWith(LeakExtension.class)
class ConnectTimeIT {

    private static final Duration CONNECT = Duration.ofMillis(2_500);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration LATE_IN_IT = Duration.ofMillis(2_000);
    private static final byte[] LATE = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate".getBytes(US_ASCII);

    /** An exchange that takes over a pending connection near its deadline has its own time-out. */
    @Test
    void anExchangeThatJoinsAConnectHasItsOwnTimeOut() throws IOException {
        TimingRetry.run(this::joinLateAndReceiveResponse);
    }

    private void joinLateAndReceiveResponse(TimingRetry.LagMonitor lag) throws IOException {
        try (FullServer server = new FullServer();
                CoreGateway gateway = new CoreGateway(Setup.of(server.address()).connect(CONNECT));
                FrameClient client = FrameClient.connect(gateway.port())) {
            lag.monitor(gateway.loop());
            client.get(1, "/").reset(1);
            await().pollDelay(LATE_IN_IT).until(() -> gateway.ended().size() == 1);
            client.get(3, "/");
            await().until(() -> connectFailures(gateway) == 1);
            server.serve();
            assertThat(client.response(3).body()).isEqualTo("late");
        }
    }

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

    /** The times in the queue and in the connect that follows do not add up. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void queueAndConnectShareTheTimeOut(boolean http2) throws IOException {
        TimingRetry.run(lag -> queueAndTimeOut(lag, http2));
    }

    private static void queueAndTimeOut(TimingRetry.LagMonitor lag, boolean http2) throws IOException {
        UpstreamSettings.Pool one =
                new UpstreamSettings.Pool(true, 1, 10, Duration.ofSeconds(55), false, Duration.ZERO, 0, 1);
        try (FullServer server = new FullServer();
                CoreGateway gateway = new CoreGateway(setup(server, http2).pool(one));
                FrameClient client = FrameClient.connect(gateway.port())) {
            lag.monitor(gateway.loop());
            client.get(1, "/");
            await().pollDelay(SOON).until(() -> gateway.gauge("postern.upstream.connections", "state", "open") == 1);
            client.get(3, "/");
            assertTimedOutBeforeTheSecondConnection(gateway, client);
        }
    }

    private static Setup setup(FullServer server, boolean http2) {
        Setup setup = Setup.of(server.address()).connect(CONNECT);
        return http2 ? setup.toHttp2(null) : setup;
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

        /** Accepts the connections one after the other, and responds to each request. */
        void serve() throws IOException {
            for (SocketChannel one : queued) {
                one.close();
            }
            Thread thread = new Thread(this::response, "full");
            thread.setDaemon(true);
            thread.start();
        }

        private void response() {
            boolean open = true;
            while (open) {
                try (Socket socket = server.accept()) {
                    if (socket.getInputStream().read() >= 0) {
                        socket.getOutputStream().write(LATE);
                        socket.getInputStream().readAllBytes();
                    }
                } catch (IOException e) {
                    open = !server.isClosed(); // other connections are those that filled the queue
                }
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
