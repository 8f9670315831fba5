package dev.postern.ratelimit.queue;

import java.util.concurrent.atomic.LongAdder;

/**
 * Adaptive limit of active sessions, computed from the response time of the upstream. After Gradient2 of Netflix's concurrency-limits,
 * applied to sessions instead of requests: sessions wait, and no requests are dropped.
 *
 * <p>Every step compares the mean response time of the last window with the usual one. Up to {@value #TOLERANCE} times the usual time, the
 * limit grows by a part of its square root, if at least half of the limit was used. Above, the limit shrinks towards the ratio of the two
 * times, at most by a tenth per step. The usual time follows a better time quickly, a worse time slowly, and while the site is slow very
 * slowly: a permanently slower site is accepted as usual after about ten minutes. Thread-safe; one caller steps.
 */
public final class AdaptiveConcurrencyLimit {

    /** Minimum number of responses in a window; fewer are counted in the next window. */
    static final int FEWEST = 10;

    private static final double TOLERANCE = 1.5;
    private static final double SMOOTHING = 0.2;
    private static final double STEEPEST = 0.5;
    private static final double BETTER = 0.2;
    private static final double WORSE = 1 / 60.0;
    private static final double SLOW = 1 / 600.0;

    private final int min;
    private final int max;
    private final LongAdder count = new LongAdder();
    private final LongAdder sum = new LongAdder();
    private double usual;
    private double exact;
    private volatile int bound;

    public AdaptiveConcurrencyLimit(int min, int max) {
        this.min = min;
        this.max = max;
        this.exact = min;
        this.bound = min;
    }

    public int value() {
        return bound;
    }

    /** Records the time that the upstream took until the first byte of a response, including the connect. */
    public void responded(long micros) {
        count.increment();
        sum.add(micros);
    }

    /**
     * Ends a window of about a second.
     *
     * @param active sessions with a pass now
     */
    public void step(long active) {
        if (count.sum() < FEWEST) {
            return;
        }
        double mean = Math.max(1, (double) sum.sumThenReset() / count.sumThenReset());
        if (usual == 0) {
            usual = mean;
        }
        double gradient = Math.max(STEEPEST, Math.min(1, TOLERANCE * usual / mean));
        if (gradient < 1) {
            exact *= 1 - SMOOTHING * (1 - gradient);
        } else if (active * 2 >= bound) {
            exact += SMOOTHING * Math.sqrt(exact);
        }
        exact = Math.max(min, Math.min(max, exact));
        bound = (int) exact;
        usual += (mean - usual) * pace(mean, gradient);
    }

    private double pace(double mean, double gradient) {
        if (mean < usual) {
            return BETTER;
        }
        return gradient < 1 ? SLOW : WORSE;
    }
}
