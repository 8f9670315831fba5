package dev.postern.load.worker;

/**
 * Latencies of a driver's calls, in microseconds: from when calls were due, and from when they were sent.
 *
 * @param failed calls with another response than the expected one, or none
 */
public record Latencies(int calls, int failed, double dueP50, double dueP99, double sentP50, double sentP99) {
    /** Returns these latencies if all calls had the expected response; otherwise the measurement is void. */
    public Latencies withoutFailures() {
        if (failed > 0) {
            throw new IllegalStateException(failed + " of " + calls + " requests failed (expected: none)");
        }
        return this;
    }
}
