package dev.postern.load.oldnew;

/**
 * Served requests of a turn.
 *
 * @param p50 microseconds of a request
 */
record Served(long requests, double p50) {}
