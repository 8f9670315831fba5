package dev.postern.load.proxies;

/**
 * Turn of one peer in one round.
 *
 * @param cpuMicros of the peer's process for each request
 * @param typical microseconds of a request by the load generator: the median of wrk, the mean of h2load
 * @param tail microseconds of a request at the 99th percentile; NaN if the load generator reports none
 */
public record Turn(double cpuMicros, double perSecond, double typical, double tail) {
    Turn(double cpuMicros, double perSecond, double typical) {
        this(cpuMicros, perSecond, typical, Double.NaN);
    }
}
