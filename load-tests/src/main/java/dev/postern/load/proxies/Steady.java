package dev.postern.load.proxies;

/** Says when a server is as fast as it will get: a compiler goes on for long on a slow machine, and nobody's compiler is to be measured. */
final class Steady {
    /** A turn that costs more than this share of the cheapest is no cheaper. */
    private static final double CHEAPER = 0.95;

    private static final int ENOUGH = 3;
    private static final int MAX_TURNS = 20;

    private double cheapest = Double.POSITIVE_INFINITY;
    private int noCheaper;
    private int turns;

    /**
     * Another turn is over; false when there should be one more.
     *
     * @param cost of a request; infinite when some were not answered well
     */
    boolean after(double cost) {
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
