package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static dev.postern.core.testing.FrameClient.numbers;
import static dev.postern.core.testing.FrameClient.raw;
import static dev.postern.core.testing.FrameClient.request;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameOrigin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.upstream.UpstreamSettings;
import java.io.ByteArrayOutputStream;
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

/** Requests that are taken back before they have a connection to their server leave to others what they waited for. */
@ExtendWith(LeakExtension.class)
class TakenBackIT {

    private static final int CANCEL = 8;
    private static final int MANY = 90;
    private static final Duration CONNECT = Duration.ofMillis(2_500);
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration LATE_IN_IT = Duration.ofMillis(2_000);
    private static final byte[] LATE = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate".getBytes(US_ASCII);

    private static UpstreamSettings.Pool pool(int connections, int pending, int streams) {
        return new UpstreamSettings.Pool(
                true, connections, pending, Duration.ofSeconds(55), false, Duration.ZERO, 0, streams);
    }

    private static byte[] both(byte[] one, byte[] other) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(one);
        both.writeBytes(other);
        return both.toByteArray();
    }

    @Test
    void opensNoConnectionForEach() {
        byte[] get = FieldBlock.of(request("GET", "/"));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int id = 1; id < 2 * MANY; id += 2) {
            all.writeBytes(
                    both(raw(HEADERS, END_HEADERS | END_STREAM, id, get), raw(RST_STREAM, 0, id, numbers(CANCEL))));
        }
        try (TestOrigin origin = new TestOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address()));
                FrameClient client = FrameClient.connect(gateway.port())) {
            client.bytes(all.toByteArray());
            assertThat(client.get(2 * MANY + 1, "/").answer(2 * MANY + 1).body())
                    .isEqualTo("hello");
            assertThat(origin.connections()).isLessThan(MANY / 10);
        }
    }

    @Test
    void freesItsPlaceInTheLine() {
        try (RawOrigin origin = new RawOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address()).pool(pool(1, 2, 1)));
                FrameClient client = FrameClient.connect(gateway.port())) {
            client.get(1, "/1");
            try (RawOrigin.Line line = origin.accept()) {
                line.readHead();
                client.get(3, "/3").get(5, "/5").reset(3).reset(5);
                await().until(() -> gateway.ended().size() == 2);
                client.get(7, "/7").get(9, "/9");
                await().until(() -> gateway.gauge("postern.upstream.connections", "state", "pending") == 2);
                line.ok("one");
                assertThat(client.answer(1).body()).isEqualTo("one");
                assertThat(line.readHead()).startsWith("GET /7 ");
                line.ok("seven");
                assertThat(line.readHead()).startsWith("GET /9 ");
                line.ok("nine");
                assertThat(client.answer(9).body()).isEqualTo("nine");
            }
        }
    }

    @Test
    void freesItsPlaceAtAConnectionOfManyStreams() {
        try (FrameOrigin origin = new FrameOrigin();
                CoreGateway gateway =
                        new CoreGateway(Setup.of(origin.address()).toHttp2(null).pool(pool(2, 10, 2)));
                FrameClient client = FrameClient.connect(gateway.port())) {
            byte[] get = FieldBlock.of(request("GET", "/"));
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int id = 1; id < 9; id += 2) {
                all.writeBytes(
                        both(raw(HEADERS, END_HEADERS | END_STREAM, id, get), raw(RST_STREAM, 0, id, numbers(CANCEL))));
            }
            client.bytes(all.toByteArray()).get(9, "/9");
            FrameClient server = origin.accept();
            assertThat(server.await(HEADERS).stream()).isEqualTo(1);
            assertThat(gateway.gauge("postern.upstream.connections", "state", "open"))
                    .isEqualTo(1);
        }
    }

    /** Who takes such a connection over when its time is nearly up has its own time all the same. */
    @Test
    void doesNotLeaveItsTimeOutToOthers() throws IOException {
        try (Full server = new Full();
                CoreGateway gateway = new CoreGateway(Setup.of(server.address()).connect(CONNECT));
                FrameClient client = FrameClient.connect(gateway.port())) {
            client.get(1, "/").reset(1);
            await().pollDelay(LATE_IN_IT).until(() -> gateway.ended().size() == 1);
            client.get(3, "/");
            await().until(() -> connectFailures(gateway) == 1);
            server.serve();
            assertThat(client.answer(3).body()).isEqualTo("late");
        }
    }

    /** But no more than that: two time-outs of others do not add up. */
    @Test
    void waitsNoLongerThanItsOwnTimeOut() throws IOException {
        try (Full server = new Full();
                CoreGateway gateway = new CoreGateway(Setup.of(server.address()).connect(CONNECT));
                FrameClient client = FrameClient.connect(gateway.port())) {
            client.get(1, "/").reset(1);
            await().pollDelay(SOON).until(() -> gateway.ended().size() == 1);
            client.get(3, "/");
            await().until(() -> connectFailures(gateway) >= 1);
            server.serve(); // too late: a SYN that got no answer is sent again after a second, and there is none left
            assertThat(client.answer(3).body()).contains("upstream-connect-timeout");
        }
    }

    private static double connectFailures(CoreGateway gateway) {
        return gateway.count("postern.upstream.connects", "result", "failed");
    }

    /** A server whose line of connections is full, so that nobody gets an answer to his SYN. */
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

        /** Takes them in, one after the other, and answers whoever asks. */
        void serve() throws IOException {
            for (SocketChannel one : inLine) {
                one.close();
            }
            Thread thread = new Thread(this::answer, "full");
            thread.setDaemon(true);
            thread.start();
        }

        private void answer() {
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
