package dev.postern.ratelimit.rehearsal;

/**
 * Who comes to an opening. Times are microseconds.
 *
 * @param people how many
 * @param over the time within which they come, evenly
 * @param stay how long one uses the site, on average
 * @param leaving the share of those who wait that closes the page, at any time
 * @param seed of all that is random
 */
public record Crowd(int people, long over, long stay, double leaving, long seed) {

    /** More than one room holds. */
    public static final int MAX = 1 << 22;

    public Crowd {
        if (people < 1 || people > MAX) {
            throw new IllegalArgumentException("people: " + people + " (expected: 1.." + MAX + ")");
        }
        if (over < 0 || stay < 1) {
            throw new IllegalArgumentException(
                    "over, stay: " + over + ", " + stay + " us (expected: 0 or more, 1 or more)");
        }
        if (!(leaving >= 0 && leaving <= 1)) {
            throw new IllegalArgumentException("leaving: " + leaving + " (expected: 0..1)");
        }
    }
}
