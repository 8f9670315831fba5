package dev.postern.load.proxies;

/**
 * Turn of a load through one tunnel or relay, as {@code tunnelload} printed it.
 *
 * @param received datagrams, bytes or round trips, counted at the receiver
 * @param lost datagrams that were sent and not received
 * @param cpuSeconds of the relaying process, with all its threads
 * @param spareSeconds in which the load had nothing to send or receive, so that it was not the limit
 * @param tripMicros median of a round trip
 */
record TunnelTurn(
        double received, double lost, double seconds, double cpuSeconds, double spareSeconds, double tripMicros) {
    private static final int FIELDS = 6;

    static TunnelTurn parse(String line) {
        String[] fields = line.trim().split(" ");
        if (fields.length != FIELDS) {
            throw new IllegalStateException("tunnelload: " + line.trim() + " (expected: " + FIELDS + " numbers)");
        }
        double[] numbers = new double[FIELDS];
        for (int i = 0; i < FIELDS; i++) {
            numbers[i] = Double.parseDouble(fields[i]);
        }
        return new TunnelTurn(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    }

    double perSecond() {
        return received / seconds;
    }

    /** Returns the rate of a whole core: what was received for each second of CPU time. */
    double perCore() {
        return received / cpuSeconds;
    }

    /** Returns the share of a core that the relaying process used, in percent. */
    double corePercent() {
        return 100 * cpuSeconds / seconds;
    }

    /** Returns the share of its core that the load needed, in percent. */
    double loadPercent() {
        return 100 * (1 - spareSeconds / seconds);
    }

    double lostPercent() {
        return received + lost == 0 ? 0 : 100 * lost / (received + lost);
    }
}
