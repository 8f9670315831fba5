package dev.postern.load.experiment.queue;

/**
 * Served requests of one trial.
 *
 * @param byOrigin requests that the origin counted
 * @param byClients responses 200 that the clients counted
 * @param all requests that the crowd wants
 */
record Served(Variant variant, long byOrigin, long byClients, long all, double seconds) {
    /** Returns whether at least so many requests were served, and both sides counted the same. */
    boolean atLeast(long goal) {
        return byOrigin >= goal && byOrigin == byClients;
    }

    @Override
    public String toString() {
        String other = byOrigin == byClients ? "" : " (clients: %,d)".formatted(byClients);
        return "%,d of %,d%s".formatted(byOrigin, all, other);
    }
}
