package dev.postern.core.upstream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.OnTime;
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

/** Everybody waits for a connection as long as the connect time-out and no longer, whomever it was opened for and whatever was waited for before. */
@ExtendWith(LeakExtension.class)
class ConnectTimeIT {

    private static final Duration CONNECT = Duration.ofMillis(2_500);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration LATE_IN_IT = Duration.ofMillis(2_000);
    private static final byte[] LATE = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate".getBytes(US_ASCII);

    /** Who takes such a connection over when its time is nearly up has its own time all the same. */
    @Test
    void doesNotLeaveItsTimeOutToOthers() throws IOException {
        OnTime.run(this::joinsLateAndIsServed);
    }

    private void joinsLateAndIsServed(OnTime.Watch watch) throws IOException {
        try (Full server = new Full();
                CoreGateway gateway = new CoreGateway(Setup.of(server.address()).connect(CONNECT));
                FrameClient client = FrameClient.connect(gateway.port())) {
            watch.over(gateway.loop());
            client.get(1, "/").reset(1);
            await().pollDelay(LATE_IN_IT).until(() -> gateway.ended().size() == 1);
            client.get(3, "/");
            await().until(() -> connectFailures(gateway) == 1);
            server.serve();
            assertThat(client.response(3).body()).isEqualTo("late");
        }
    }

    /** But no more than that: two time-outs of others do not add up. */
    @Test
    void waitsNoLongerThanItsOwnTimeOut() throws IOException {
        OnTime.run(this::joinsAndIsGivenUp);
    }

    private void joinsAndIsGivenUp(OnTime.Watch watch) throws IOException {
        try (Full server = new Full();
                CoreGateway gateway = new CoreGateway(Setup.of(server.address()).connect(CONNECT));
                FrameClient client = FrameClient.connect(gateway.port())) {
            watch.over(gateway.loop());
            client.get(1, "/").reset(1);
            await().pollDelay(SOON).until(() -> gateway.ended().size() == 1);
            client.get(3, "/");
            givenUpBeforeTheSecondConnection(gateway, client);
        }
    }

    /** Nor do the time in the line and that of the connection behind it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitsInTheLineAndBehindItNoLongerThanThat(boolean http2) throws IOException {
        OnTime.run(watch -> linesUpAndIsGivenUp(watch, http2));
    }

    private static void linesUpAndIsGivenUp(OnTime.Watch watch, boolean http2) throws IOException {
        UpstreamSettings.Pool one =
                new UpstreamSettings.Pool(true, 1, 10, Duration.ofSeconds(55), false, Duration.ZERO, 0, 1);
        try (Full server = new Full();
                CoreGateway gateway = new CoreGateway(setup(server, http2).pool(one));
                FrameClient client = FrameClient.connect(gateway.port())) {
            watch.over(gateway.loop());
            client.get(1, "/");
            await().pollDelay(SOON).until(() -> gateway.gauge("postern.upstream.connections", "state", "open") == 1);
            client.get(3, "/");
            givenUpBeforeTheSecondConnection(gateway, client);
        }
    }

    private static Setup setup(Full server, boolean http2) {
        Setup setup = Setup.of(server.address()).connect(CONNECT);
        return http2 ? setup.toHttp2(null) : setup;
    }

    /** That it would have to wait for until it fails too. */
    private static void givenUpBeforeTheSecondConnection(CoreGateway gateway, FrameClient client) {
        assertThat(client.response(3).body()).contains("upstream-connect-timeout");
        assertThat(connectFailures(gateway)).isEqualTo(1);
    }

    private static double connectFailures(CoreGateway gateway) {
        return gateway.count("postern.upstream.connects", "result", "failed");
    }

    /** A server whose line of connections is full, so that nobody gets a response to his SYN. */
    private static final class Full implements AutoCloseable {

        private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<SocketChannel> inLine = new ArrayList<>();

        Full() throws IOException {
            for (int i = 0; i < 8; i++) {
                SocketChannel one = SocketChannel.open();
                one.configureBlocking(false);
                one.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
                inLine.add(one);
            }
        }

        String address() {
            return "127.0.0.1:" + server.getLocalPort();
        }

        /** Accepts the connections, one after the other, and responds to each request. */
        void serve() throws IOException {
            for (SocketChannel one : inLine) {
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
                    open = !server.isClosed(); // else it was one of those that stood in line
                }
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
