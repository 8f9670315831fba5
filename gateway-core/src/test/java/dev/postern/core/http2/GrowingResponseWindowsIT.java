package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.transport.ReceiveWindows;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the window that an upstream gets whose round trip is said to be 20 ms: a real one on loopback would need no growth. {@link
 * GrowingResponseWindowsTest} has the other rules.
 */
class GrowingResponseWindowsIT extends UpstreamStreamFixture {

    private static final int FIRST = 65_535;
    private static final int MAX = 1 << 20;
    private static final int QUEUED = 2 * 64 * 1024;
    private static final String PIECE = "x".repeat(16_000);

    private final ReceiveWindows windows = new ReceiveWindows(1 << 30, channel -> TimeUnit.MILLISECONDS.toNanos(20));

    @BeforeEach
    void start() {
        windows.max(MAX);
        restart(setup().windows(windows));
    }

    /** Origin's side of one stream: sends what the gateway's windows allow. */
    private static final class Sender {

        private final FrameClient server;
        private final int stream;
        private long sent;
        private int window = FIRST;
        private int connection = MAX; // from the first: what is held is bounded by the windows of the streams
        private int widest;

        Sender(FrameClient server, int stream) {
            this.server = server;
            this.stream = stream;
        }

        private boolean allowed() {
            return Math.min(window, connection) >= PIECE.length();
        }

        private void read(Frame frame) {
            if (frame.type() == FrameClient.WINDOW_UPDATE) {
                window += frame.stream() == stream ? frame.number(0) : 0;
                connection += frame.stream() == 0 ? frame.number(0) : 0;
                widest = Math.max(widest, window);
            }
        }

        private Frame next() {
            Frame frame = server.next();
            if (frame == null || frame.type() == FrameClient.GOAWAY) {
                throw new AssertionError("after " + sent + " bytes: " + (frame == null ? "closed" : frame.error()));
            }
            return frame;
        }

        private void piece() {
            server.data(stream, false, PIECE);
            window -= PIECE.length();
            connection -= PIECE.length();
            sent += PIECE.length();
        }

        /** Sends as many bytes and more, until the gateway opens no window before three responses to a PING in a row. */
        long fill(long atLeast) {
            for (int quiet = 0; quiet < 3 || sent < atLeast; ) {
                if (allowed()) {
                    piece();
                    continue;
                }
                if (sent < atLeast) {
                    read(next());
                    continue;
                }
                server.frame(FrameClient.PING, 0, 0, new byte[8]);
                long before = (long) window + connection;
                for (Frame frame = next(); frame.type() != FrameClient.PING; frame = next()) {
                    read(frame);
                }
                quiet = (long) window + connection > before ? 0 : quiet + 1;
            }
            return sent;
        }
    }

    /** Sends a request, whose response has no end, over a new connection to the origin. */
    private FrameClient begin(FrameClient client) {
        client.get(1, "/");
        FrameClient server = origin.accept();
        server.await(FrameClient.HEADERS);
        return server.headers(1, false, OK);
    }

    /** Reads responses on another thread, until the connection ends. */
    private static Thread reading(FrameClient client) {
        Thread reader = new Thread(() -> {
            Frame frame = client.next();
            while (frame != null) {
                frame = client.next();
            }
        });
        reader.setDaemon(true);
        reader.start();
        return reader;
    }

    @Test
    void aResponseThatIsReadGetsALargerWindow() throws Exception {
        int room = 24 << 20;
        try (FrameClient client = client(4, room)) {
            client.window(0, room - FIRST);
            FrameClient server = begin(client);
            Sender sender = new Sender(server, 1);
            Thread reader = reading(client);
            long sent = sender.fill(room); // until the client's window is closed, which opens no more

            assertThat(sender.widest).as("the widest window").isBetween(MAX / 2, MAX);
            assertThat(windows.granted()).isBetween((long) MAX / 2, (long) MAX - FIRST);
            assertThat(sent - room).as("held for a client that reads no more").isLessThanOrEqualTo(MAX + QUEUED);
            client.reset(1);
            await().until(() -> windows.granted() == 0);
            client.finish();
            reader.join();
        }
    }
}
