package dev.postern.load.measure;

/**
 * One closed-loop run of a load generator: as many requests as its connections carried. Fit for CPU per request, not for
 * latency goals.
 *
 * @param requests with a response within the run
 * @param perSecond responses per second
 * @param typical microseconds of a request: the median or, if the generator reports none, the mean
 * @param tail microseconds of a request at the 99th percentile; NaN if the generator reports none
 */
public record LoadRun(long requests, double perSecond, double typical, double tail) {

    public LoadRun(long requests, double perSecond, double typical) {
        this(requests, perSecond, typical, Double.NaN);
    }

    /** Returns the microseconds of one of the units that load generators print. */
    static double micros(String unit) {
        return switch (unit) {
            case "us" -> 1;
            case "ms" -> 1_000;
            default -> 1_000_000;
        };
    }
}
