package dev.postern.app.live;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who watches, on the thread that made this object. Takes the newest frame and misses those in between; who does not read for
 * longer than the patience is let go.
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

    /** From any thread, but never once the viewer has left: the thread is somebody else's then. */
    synchronized void offer(byte[] frame) {
        next = frame;
        notifyAll();
    }

    /** As {@link #offer}: to be called again and again. */
    synchronized void look(long nanos) {
        if (writing && nanos - start > patience) {
            thread.interrupt(); // which closes the socket that it waits to write to
        }
    }

    /** Writes what is offered until the viewer is gone or the thread is interrupted. */
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
