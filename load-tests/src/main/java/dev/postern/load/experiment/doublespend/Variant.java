package dev.postern.load.experiment.doublespend;

import dev.postern.load.worker.WriteMode;

/** Variant of a client that asks memcached directly. */
enum Variant {
    NAGLE("three writes, Nagle", WriteMode.NAGLE, Variant.ENOUGH),
    NO_DELAY("three writes, TCP_NODELAY", WriteMode.NO_DELAY, Variant.ENOUGH),
    ONE_WRITE("one write", WriteMode.ONE_WRITE, Variant.ENOUGH),
    VERSION("version + three writes, Nagle", WriteMode.VERSION, Variant.ENOUGH),
    POOL("three writes, Nagle, 20 connections", WriteMode.NAGLE, Variant.FEW),
    POOL_ONE_WRITE("one write, 20 connections", WriteMode.ONE_WRITE, Variant.FEW);

    /** As many connections as the rate needs. */
    private static final int ENOUGH = 0;

    private static final int FEW = 20;
    /** Time for which a check may take a connection before others wait, longer than a delayed check takes. */
    private static final double RESERVED_SECONDS = 0.06;

    /** Checks per second that one connection can do at 40 ms each. */
    private static final int SLOW_CHECKS = 25;

    private final String label;
    private final WriteMode mode;
    private final int connections;

    Variant(String label, WriteMode mode, int connections) {
        this.label = label;
        this.mode = mode;
        this.connections = connections;
    }

    String label() {
        return label;
    }

    /**
     * Returns the question to the worker.
     *
     * @param calls of a turn at this rate; a pool that is too small gets as many as it can do in twice the time
     */
    String question(int rate, int calls) {
        int most = this == POOL ? Math.max(1, connections * SLOW_CHECKS * 2 * calls / rate) : calls;
        int pool = connections == ENOUGH ? (int) Math.ceil(rate * RESERVED_SECONDS) : connections;
        return mode + " " + pool + " " + rate + " " + Math.min(calls, most);
    }
}
