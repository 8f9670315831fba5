package dev.postern.core.proxy;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Windows of a client that sends on streams of one HTTP/2 connection (RFC 9113 section 5.2). One thread notes the frames that the gateway
 * sends, beginning with its SETTINGS; others wait for the windows.
 */
final class SendWindows {

    private static final int INITIAL_WINDOW_SIZE = 4;

    private final Map<Integer, Semaphore> streams = new ConcurrentHashMap<>();
    private final Semaphore connection = new Semaphore(65_535);
    private volatile int initial = 65_535;

    /** Adds what a frame permits; fails at the end of the connection. */
    void note(@Nullable Frame frame) {
        if (frame == null) {
            throw new AssertionError("connection closed (expected: the end of each stream)");
        }
        if (frame.type() == FrameClient.WINDOW_UPDATE) {
            (frame.stream() == 0 ? connection : stream(frame.stream())).release(frame.number(0));
        } else if (frame.type() == FrameClient.SETTINGS && !frame.has(FrameClient.ACK)) {
            for (int i = 0; i < frame.payload().length; i += 6) {
                initial = frame.payload()[i + 1] == INITIAL_WINDOW_SIZE ? frame.number(i + 2) : initial;
            }
        }
    }

    /** Waits until that many bytes may be sent on the stream, and takes them off its window. */
    void acquire(int stream, int bytes) throws InterruptedException {
        stream(stream).acquire(bytes);
        connection.acquire(bytes);
    }

    private Semaphore stream(int id) {
        return streams.computeIfAbsent(id, unused -> new Semaphore(initial));
    }
}
