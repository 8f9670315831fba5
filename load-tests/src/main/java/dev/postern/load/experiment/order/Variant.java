package dev.postern.load.experiment.order;

import dev.postern.load.server.Cores;
import java.util.List;

/**
 * Variant of the gateway whose pipelined requests are measured.
 *
 * @param depth its {@code pipeline-depth}
 * @param cores one core, or both
 */
record Variant(int depth, Cores cores) {
    /** The default of {@code pipeline-depth}, whose figures have the goals. */
    static final int DEPTH = 8;

    static final Variant ONE_BY_ONE = new Variant(1, Cores.MEASURED);
    static final Variant ONE_BY_ONE_ON_ALL = new Variant(1, Cores.ANY);
    static final Variant CONCURRENT = new Variant(DEPTH, Cores.MEASURED);
    static final Variant CONCURRENT_ON_ALL = new Variant(DEPTH, Cores.ANY);

    static final List<Variant> ALL = List.of(ONE_BY_ONE, ONE_BY_ONE_ON_ALL, CONCURRENT, CONCURRENT_ON_ALL);

    /** Returns the same variant on one core. */
    Variant onOneCore() {
        return new Variant(depth, Cores.MEASURED);
    }

    @Override
    public String toString() {
        return "depth " + depth + ", " + (cores == Cores.ANY ? "two cores" : "one core");
    }
}
