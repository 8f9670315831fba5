package dev.postern.core.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that tunnels of CONNECT which are open at the same time deliver each byte of both directions, whichever end closes its direction
 * first. Each direction has its own pseudo-random bytes, so that a byte which is lost, repeated, moved or of another tunnel changes the
 * checksum. {@code -Dtcp.bytes=1000000000} sends more.
 */
@ExtendWith(LeakExtension.class)
class TcpVolumeIT {

    private static final int TUNNELS = 100;
    private static final int CONNECTIONS = 4;
    private static final int STREAMS = 10;

    /** Of all tunnels and both directions together; streams of HTTP/2 carry a tenth. */
    private static final long BYTES = Long.getLong("tcp.bytes", 100_000_000);

    private static final int CHUNK = 16_384;

    /** Small ones, so that bytes wait in the gateway at the end of each direction. */
    private static final int RECEIVE_BUFFER = 65_536;

    private static final int NOT_SENT = 16_384;

    /** More than the kernel holds with these buffers, and less than the gateway reads ahead. */
    private static final int WAITING = 256 * 1_024;

    private static final int PATIENCE_SECONDS = 60;

    private final CoreGateway gateway =
            new CoreGateway(Setup.of("127.0.0.1:1").loops(2).notSent(NOT_SENT));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        while (!resources.isEmpty()) {
            resources.pop().close();
        }
        threads.shutdownNow();
        gateway.close();
    }

    /** Bytes of one direction as one end saw them. */
    private record Flow(long bytes, long checksum) {}

    /** Writes bytes to a tunnel. */
    private interface Writer {

        void write(byte[] bytes) throws Exception;
    }

    /** One direction of a tunnel. */
    private static final class Direction {

        private final SplittableRandom random;
        private final long bytes;
        private final CountDownLatch closed = new CountDownLatch(1);

        Direction(long seed, long bytes) {
            this.random = new SplittableRandom(seed);
            this.bytes = bytes;
        }

        /** Sends the first half at once, and the second one when the direction may end. */
        Flow send(Writer out, CountDownLatch mayEnd) throws Exception {
            CRC32C checksum = new CRC32C();
            write(out, bytes / 2, checksum);
            await(mayEnd);
            write(out, bytes - bytes / 2, checksum);
            return new Flow(bytes, checksum.getValue());
        }

        private void write(Writer out, long count, CRC32C checksum) throws Exception {
            for (long left = count; left > 0; ) {
                byte[] chunk = new byte[(int) Math.min(CHUNK, left)];
                random.nextBytes(chunk);
                checksum.update(chunk);
                out.write(chunk);
                left -= chunk.length;
            }
        }

        /** Receives all, of which the last bytes wait in the gateway until the sender has closed the direction. */
        Flow receive(InputStream in) throws Exception {
            CRC32C checksum = new CRC32C();
            byte[] buffer = new byte[CHUNK];
            long count = 0;
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                checksum.update(buffer, 0, read);
                count += read;
                if (count >= bytes - WAITING) {
                    await(closed);
                }
            }
            return new Flow(count, checksum.getValue());
        }

        private static void await(CountDownLatch latch) throws InterruptedException {
            assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** End of a tunnel, which closes its direction first, or when the other end has closed the other direction. */
    private final class End {

        private final Future<Flow> sent;
        private final Future<Flow> received;

        End(Socket socket, Direction out, Direction in, boolean first) throws IOException {
            socket.setSoTimeout(PATIENCE_SECONDS * 1_000);
            OutputStream stream = socket.getOutputStream();
            CountDownLatch mayEnd = new CountDownLatch(first ? 0 : 1);
            sent = threads.submit(() -> {
                Flow flow = out.send(stream::write, mayEnd);
                socket.shutdownOutput();
                out.closed.countDown();
                return flow;
            });
            received = threads.submit(() -> {
                Flow flow = in.receive(socket.getInputStream());
                mayEnd.countDown();
                return flow;
            });
        }

        Flow sent() throws Exception {
            return sent.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        Flow received() throws Exception {
            return received.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static ServerSocket listen() throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReceiveBufferSize(RECEIVE_BUFFER);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        return listener;
    }

    /** Ends of one connection that is a tunnel. */
    private record Tunnel(Socket client, Socket destination) {}

    private Tunnel open() throws IOException {
        try (ServerSocket listener = listen()) {
            Socket client = new Socket();
            resources.push(client);
            client.setReceiveBufferSize(RECEIVE_BUFFER);
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.forwardPort()));
            String authority = "127.0.0.1:" + listener.getLocalPort();
            client.getOutputStream()
                    .write(("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n")
                            .getBytes(ISO_8859_1));
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
                head.writeBytes(client.getInputStream().readNBytes(1));
            }
            assertThat(head.toString(ISO_8859_1)).startsWith("HTTP/1.1 200");
            Socket destination = listener.accept();
            resources.push(destination);
            return new Tunnel(client, destination);
        }
    }

    @Test
    void tunnelsDeliverEachByteWhicheverEndClosesFirst() throws Exception {
        List<Tunnel> tunnels = new ArrayList<>();
        for (int i = 0; i < TUNNELS; i++) {
            tunnels.add(open());
        }
        assertThat(gateway.server().connections()).isEqualTo(TUNNELS);
        long each = BYTES / TUNNELS / 2;
        List<End> ends = new ArrayList<>();
        for (int i = 0; i < TUNNELS; i++) {
            boolean clientFirst = i % 2 == 0;
            Tunnel tunnel = tunnels.get(i);
            Direction out = new Direction(2L * i, each);
            Direction back = new Direction(2L * i + 1, each);
            ends.add(new End(tunnel.client(), out, back, clientFirst));
            ends.add(new End(tunnel.destination(), back, out, !clientFirst));
        }
        for (int i = 0; i < ends.size(); i += 2) {
            End client = ends.get(i);
            End destination = ends.get(i + 1);
            String which = "tunnel " + i / 2 + ", closed first by the " + (i % 4 == 0 ? "client" : "destination");
            assertThat(destination.received()).as(which).isEqualTo(client.sent());
            assertThat(client.received()).as(which).isEqualTo(destination.sent());
            assertThat(client.sent().bytes()).isEqualTo(each);
        }
        await().until(() -> gateway.server().connections() == 0);
    }

    /** Client of several streams of one connection that are tunnels. The thread of the test reads, and one for each stream writes. */
    private final class Streams implements AutoCloseable {

        private final FrameClient client = FrameClient.connect(gateway.forwardPort(), 4, Integer.MAX_VALUE);
        private final SendWindows windows = new SendWindows();

        Socket open(int id) throws IOException {
            try (ServerSocket listener = listen()) {
                client.headers(id, false, ":method", "CONNECT", ":authority", "127.0.0.1:" + listener.getLocalPort());
                while (client.soFar(id).status().isEmpty()) {
                    windows.note(client.next());
                }
                assertThat(client.soFar(id).status()).isEqualTo("200");
                Socket destination = listener.accept();
                resources.push(destination);
                return destination;
            }
        }

        Future<Flow> send(int id, Direction direction) {
            return threads.submit(() -> {
                Flow flow = direction.send(chunk -> write(id, false, chunk), new CountDownLatch(0));
                write(id, true, new byte[0]);
                direction.closed.countDown();
                return flow;
            });
        }

        private void write(int id, boolean last, byte[] data) throws InterruptedException {
            windows.acquire(id, data.length);
            synchronized (client) {
                client.frame(FrameClient.DATA, last ? FrameClient.END_STREAM : 0, id, data);
            }
        }

        Flow receive(int id) {
            while (!client.soFar(id).ended()) {
                assertThat(client.soFar(id).reset()).as("stream " + id).isEmpty();
                windows.note(client.next());
            }
            byte[] all = client.soFar(id).body().getBytes(ISO_8859_1);
            CRC32C checksum = new CRC32C();
            checksum.update(all);
            return new Flow(all.length, checksum.getValue());
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** Sends on one connection of HTTP/2 after the other, since the thread of the test reads only one. */
    @Test
    void streamsDeliverEachByteAfterTheClientHasClosedItsDirection() throws Exception {
        long each = BYTES / 10 / CONNECTIONS / STREAMS / 2;
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            Streams streams = new Streams();
            resources.push(streams);
            streams.client.window(0, Integer.MAX_VALUE - 65_535);
            List<Socket> destinations = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                destinations.add(streams.open(2 * i + 1));
            }
            List<End> ends = new ArrayList<>();
            List<Future<Flow>> sent = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                long seed = 1_000L * (connection + 1) + 2L * i;
                Direction out = new Direction(seed, each);
                ends.add(new End(destinations.get(i), new Direction(seed + 1, each), out, false));
                sent.add(streams.send(2 * i + 1, out));
            }
            for (int i = 0; i < STREAMS; i++) {
                Flow received = streams.receive(2 * i + 1);
                assertThat(received)
                        .as("stream " + (2 * i + 1))
                        .isEqualTo(ends.get(i).sent());
                assertThat(ends.get(i).received())
                        .as("stream " + (2 * i + 1))
                        .isEqualTo(sent.get(i).get(PATIENCE_SECONDS, TimeUnit.SECONDS));
                assertThat(received.bytes()).isEqualTo(each);
            }
        }
    }
}
