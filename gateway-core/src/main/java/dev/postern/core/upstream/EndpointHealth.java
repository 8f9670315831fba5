package dev.postern.core.upstream;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether a server may be given work. After several failures in a row it is left out for a while (passive ejection); what active checks
 * found holds until they find otherwise; and one that comes back gets its share slowly. Thread-safe; times are those of {@link System#nanoTime}.
 */
final class EndpointHealth {

    private static final int MAX_DOUBLINGS = 20;
    private static final double LEAST_SHARE = 0.1;

    private final UpstreamSettings.Health rules;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean unreachable;
    private volatile boolean unfit;
    private volatile long ejectedAt;
    private volatile long ejectedFor;
    private volatile boolean warming;
    private volatile long warmSince;
    private int checksInRow;

    EndpointHealth(UpstreamSettings.Health rules) {
        this.rules = rules;
    }

    /** It answered as a server should. */
    void good() {
        if (failures.get() != 0) { // the path of every exchange: write only when there is something to write
            failures.set(0);
            unreachable = false;
            ejectedFor = 0;
        }
    }

    /** @param connecting whether not even a connection could be had */
    void bad(boolean connecting, long now) {
        unreachable = connecting;
        int inRow = failures.incrementAndGet();
        if (rules.failures() > 0 && inRow >= rules.failures()) {
            int doublings = Math.min(inRow - rules.failures(), MAX_DOUBLINGS);
            long most = rules.mostEjection().toNanos();
            long nanos = Math.min(most, rules.ejection().toNanos() << doublings);
            ejectedAt = now;
            ejectedFor = nanos < 0 ? most : nanos;
            warm(now + ejectedFor);
        }
    }

    /** What an active check found. */
    synchronized void checked(boolean fit, long now) {
        if (fit != unfit) {
            checksInRow = 0; // as it is taken to be
            return;
        }
        checksInRow++;
        UpstreamSettings.Check check = rules.check();
        if (check != null && checksInRow >= (fit ? check.rise() : check.fall())) {
            checksInRow = 0;
            unfit = !fit;
            if (fit) {
                warm(now);
            }
        }
    }

    /** From that instant its share grows. */
    void warm(long from) {
        warmSince = from;
        warming = !rules.slowStart().isZero();
    }

    boolean usable(long now) {
        return !unfit && !ejected(now);
    }

    /** Whether it need not even be tried: no connection to it could be had, or checks say so. */
    boolean down(long now) {
        return unfit || unreachable && ejected(now);
    }

    private boolean ejected(long now) {
        long nanos = ejectedFor;
        return nanos > 0 && now - ejectedAt < nanos;
    }

    /** The part of its weight that it is given now, 0.1 to 1. */
    double share(long now) {
        if (!warming) {
            return 1;
        }
        double part = (double) (now - warmSince) / rules.slowStart().toNanos();
        if (part >= 1) {
            warming = false;
        }
        return Math.max(LEAST_SHARE, Math.min(1, part));
    }
}
