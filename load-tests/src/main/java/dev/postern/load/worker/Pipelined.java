package dev.postern.load.worker;

/**
 * Result of pipelined requests on one connection.
 *
 * @param p50Micros median time from a request to its response
 */
public record Pipelined(Throughput throughput, double p50Micros) {}
