package dev.postern.load.proxies;

/**
 * Turn of one peer in one round.
 *
 * @param cpuMicros of the peer's process for each request
 * @param typical microseconds of a request by the load generator: the median of wrk, the mean of h2load
 */
record Turn(double cpuMicros, double perSecond, double typical) {}
