package dev.postern.load.worker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Outstanding operations of a closed loop: a fixed number is on its way at any time until all responses have arrived.
 */
public final class Outstanding {
    /** As many as a busy gateway has on their way at once. */
    public static final int AT_ONCE = 256;

    private static final int MAX_SECONDS = 60;

    private Outstanding() {}

    static void await(CountDownLatch responses) {
        try {
            if (!responses.await(MAX_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        responses.getCount() + " responses missing after " + MAX_SECONDS + " s (expected: all there)");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
