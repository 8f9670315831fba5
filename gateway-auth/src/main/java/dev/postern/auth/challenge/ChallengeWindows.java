package dev.postern.auth.challenge;

import java.time.Duration;
import java.time.Instant;

/**
 * Windows in which challenges are accepted. Time is divided into windows of one length since 1970; a challenge belongs to the window in
 * which it was made and is accepted in that window and the next.
 *
 * <pre>
 *   age of the window      accepted                        lapsed: only with the ticket that the token opened
 *   -1 (not begun yet)     within the clock skew
 *   0, 1                   yes
 *   2                      within the clock skew            after that
 *   3 to 6                                                  yes
 *   7                                                       within the clock skew
 * </pre>
 *
 * @param length of one window, 1 second to 1 day
 * @param skew how far the clocks of two gateways may be apart; up to half a window
 */
public record ChallengeWindows(Duration length, Duration skew) {

    /** Greatest age, in windows, at which a challenge is accepted from any client. */
    static final int OPEN = 1;

    /** Greatest age, in windows, at which a token is accepted with the ticket that it opened. */
    static final int LAPSING = 6;

    /** Returns the window of that moment. */
    long index(Instant now) {
        return Math.floorDiv(now.toEpochMilli(), length.toMillis());
    }

    long newest(Instant now) {
        return index(now.plus(skew));
    }

    long oldestOpen(Instant now) {
        return index(now.minus(skew)) - OPEN;
    }

    long oldestLapsing(Instant now) {
        return index(now.minus(skew)) - LAPSING;
    }

    /** Returns the seconds for which a challenge made now will be accepted. */
    long maxAge(Instant now) {
        return Duration.between(now, start(index(now) + OPEN + 1)).toSeconds();
    }

    /**
     * Returns when no gateway accepts a token of that window any more: the clock of another gateway may be behind by the skew, and that
     * gateway adds the skew to its own clock.
     */
    Instant acceptedUntil(long index, boolean lapsing) {
        return start(index + (lapsing ? LAPSING : OPEN) + 1).plus(skew.multipliedBy(2));
    }

    /** Returns until when the results of all these methods stay the same. */
    Instant unchangedUntil(Instant now) {
        Instant next = start(index(now) + 1);
        Instant later = start(newest(now) + 1).minus(skew);
        Instant earlier = start(index(now.minus(skew)) + 1).plus(skew);
        Instant first = next.isBefore(later) ? next : later;
        return first.isBefore(earlier) ? first : earlier;
    }

    private Instant start(long index) {
        return Instant.ofEpochMilli(Math.multiplyExact(index, length.toMillis()));
    }
}
