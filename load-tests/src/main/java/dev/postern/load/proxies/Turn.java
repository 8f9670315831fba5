package dev.postern.load.proxies;

/**
 * One peer's turn in one round.
 *
 * @param cpuMicros of the peer's process for each request
 * @param typical microseconds of a request, as the load saw it: the median of wrk, the mean of h2load
 */
record Turn(double cpuMicros, double perSecond, double typical) {}
