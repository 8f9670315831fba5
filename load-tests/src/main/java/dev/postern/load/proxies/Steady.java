package dev.postern.load.proxies;

/**
 * Steady state of a server: reached when more load makes the server no faster. On a slow machine the JIT compilers work
 * for long, and their CPU time must not be measured.
 */
final class Steady {
    /** A turn whose cost exceeds this share of the cheapest cost is no cheaper. */
    private static final double CHEAPER = 0.95;

    private static final int ENOUGH = 3;
    private static final int MAX_TURNS = 20;

    private double cheapest = Double.POSITIVE_INFINITY;
    private int noCheaper;
    private int turns;

    /**
     * Adds a turn and returns whether the server is steady.
     *
     * @param cost of a request; infinite if a response was not good
     */
    boolean reachedWith(double cost) {
        turns++;
        if (cost < cheapest * CHEAPER) {
            cheapest = cost;
            noCheaper = 0;
        } else if (cost < Double.POSITIVE_INFINITY) {
            noCheaper++;
        }
        return noCheaper == ENOUGH || turns == MAX_TURNS;
    }
}
