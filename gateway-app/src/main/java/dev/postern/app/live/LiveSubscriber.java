package dev.postern.app.live;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Subscriber of the feed, on the thread that created it. Writes the newest frame and skips older ones. The connection of a subscriber that
 * does not read for longer than the patience is closed.
 */
final class LiveSubscriber {

    private final Thread thread = Thread.currentThread();
    private final long patience;
    private byte @Nullable [] next;
    private boolean writing;
    private long start;

    LiveSubscriber(Duration patience) {
        this.patience = patience.toNanos();
    }

    /** Offers a frame, from any thread. Not called after the subscriber has left, when the thread serves other requests. */
    synchronized void offer(byte[] frame) {
        next = frame;
        notifyAll();
    }

    /** Interrupts a write that exceeds the patience. Called periodically, under the same rule as {@link #offer}. */
    synchronized void check(long nanos) {
        if (writing && nanos - start > patience) {
            thread.interrupt(); // the interrupted write closes the connection
        }
    }

    /** Writes the offered frames until the client closes the connection or the thread is interrupted. */
    void watch(OutputStream out) throws IOException, InterruptedException {
        while (true) {
            out.write(take());
            out.flush();
            written();
        }
    }

    private synchronized byte[] take() throws InterruptedException {
        byte[] frame = next;
        while (frame == null) {
            wait();
            frame = next;
        }
        next = null;
        writing = true;
        start = System.nanoTime();
        return frame;
    }

    private synchronized void written() {
        writing = false;
    }
}
