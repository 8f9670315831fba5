package dev.postern.core.upstream.endpoint;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Health of an endpoint. After several failures in a row the endpoint is ejected for a while (passive ejection); the result of active
 * checks holds until they find otherwise; and an endpoint that returns gets its share slowly. Thread-safe; times are those of one
 * ticker.
 */
public final class EndpointHealth {

    private static final int MAX_DOUBLINGS = 20;
    private static final double LEAST_SHARE = 0.1;

    private final UpstreamSettings.Health settings;
    private final Listener listener;
    private final AtomicBoolean leftOut = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean unreachable;
    private volatile boolean unfit;
    private volatile long ejectedAt;
    private volatile long ejectedFor;
    private volatile boolean warming;
    private volatile long warmSince;
    private int checksInRow;

    /** Source of the finding that an endpoint can't serve. */
    public enum Source {
        EXCHANGES,
        CHECKS
    }

    /** Listener that gets the findings when an endpoint is left out and when it is back; called on any thread. */
    public interface Listener {

        /** Ignores all findings. */
        Listener NONE = new Listener() {
            @Override
            public void leftOut(Source source, String reason) {}

            @Override
            public void back(Source source) {}
        };

        void leftOut(Source source, String reason);

        void back(Source source);
    }

    public EndpointHealth(UpstreamSettings.Health rules) {
        this(rules, Listener.NONE);
    }

    /** @param listener learns when the endpoint is left out and when it is back */
    public EndpointHealth(UpstreamSettings.Health rules, Listener listener) {
        this.settings = rules;
        this.listener = listener;
    }

    /** Records a good response. */
    void good() {
        if (failures.get() != 0) { // every exchange passes here: write only on a change
            failures.set(0);
            unreachable = false;
            ejectedFor = 0;
            if (leftOut.compareAndSet(true, false)) {
                listener.back(Source.EXCHANGES);
            }
        }
    }

    /** @param connecting whether the connect itself failed */
    public void bad(boolean connecting, long now) {
        unreachable = connecting;
        int inRow = failures.incrementAndGet();
        if (settings.failures() > 0 && inRow >= settings.failures()) {
            int doublings = Math.min(inRow - settings.failures(), MAX_DOUBLINGS);
            long max = settings.maxEjection().toNanos();
            long first = settings.ejection().toNanos();
            ejectedAt = now;
            ejectedFor = first > max >> doublings ? max : first << doublings; // compared so that nothing overflows
            warm(now + ejectedFor);
            if (leftOut.compareAndSet(false, true)) {
                listener.leftOut(
                        Source.EXCHANGES,
                        inRow + " failures in a row, the last one "
                                + (connecting
                                        ? "without a connection"
                                        : "without a response or with status 502, 503 or 504"));
            }
        }
    }

    /** Records the result of an active check. */
    public synchronized void checked(boolean fit, long now) {
        if (fit != unfit) {
            checksInRow = 0; // the result agrees with the known state
            return;
        }
        checksInRow++;
        UpstreamSettings.Check check = settings.check();
        if (checksInRow >= (fit ? check.rise() : check.fall())) {
            checksInRow = 0;
            unfit = !fit;
            if (fit) {
                warm(now);
                listener.back(Source.CHECKS);
            } else {
                listener.leftOut(Source.CHECKS, check.fall() + " health checks in a row failed");
            }
        }
    }

    /** Starts the slow start at that instant. */
    public void warm(long from) {
        warmSince = from;
        warming = !settings.slowStart().isZero();
    }

    public boolean usable(long now) {
        return !unfit && !ejected(now);
    }

    /** Returns whether the endpoint need not be tried: no connection to it could be opened, or checks failed. */
    boolean down(long now) {
        return unfit || unreachable && ejected(now);
    }

    private boolean ejected(long now) {
        long nanos = ejectedFor;
        return nanos > 0 && now - ejectedAt < nanos;
    }

    /** Returns the part of the weight that the endpoint gets now, 0.1 to 1. */
    double share(long now) {
        if (!warming) {
            return 1;
        }
        double part = (double) (now - warmSince) / settings.slowStart().toNanos();
        if (part >= 1) {
            warming = false;
        }
        return Math.max(LEAST_SHARE, Math.min(1, part));
    }
}
