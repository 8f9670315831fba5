package dev.postern.load.crowd;

/**
 * Counters of an origin for one crowd.
 *
 * @param served requests, without those that don't count
 * @param wholePages pages of which all parts were served
 * @param halfPages pages of which at least one part was served and one was not
 */
public record Counters(long served, int wholePages, int halfPages) {}
