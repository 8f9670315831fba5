package dev.postern.load.proxies;

import java.time.Duration;

/**
 * Pace of a run: number of rounds and length of turns.
 *
 * @param rounds that count
 * @param turn of one peer in a round
 * @param warmUp load on each peer before the first round
 */
public record Pace(int rounds, Duration turn, Duration warmUp) {
    public Pace {
        if (rounds < 1) {
            throw new IllegalArgumentException("rounds: " + rounds + " (expected: 1 or more)");
        }
    }
}
