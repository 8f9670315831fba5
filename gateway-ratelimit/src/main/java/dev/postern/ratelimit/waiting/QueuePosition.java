package dev.postern.ratelimit.waiting;

import dev.postern.ratelimit.queue.AdmissionDecision;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Queue position of a client.
 *
 * @param state {@code waiting}, {@code early} before the opening, {@code admitted}, {@code lapsed}, {@code no-cookie} for a request without a
 *     ticket, or {@code unknown} if the position is not known yet
 * @param position position in the queue, 0 for none
 * @param estimateSeconds estimated time until admission, 0 for none
 * @param retrySeconds time after which to retry, at least 1
 */
public record QueuePosition(String state, long position, long estimateSeconds, long retrySeconds) {

    /** Position of a client whose request has no ticket. */
    public static final QueuePosition NO_COOKIE = new QueuePosition("no-cookie", 0, 0, 30);

    private static final String EARLY = "early";
    private static final String UNKNOWN = "unknown";
    private static final long SECOND = 1_000_000;
    private static final Pattern NOTE = Pattern.compile("([a-z-]{1,16}) ([0-9]{1,18}) ([0-9]{1,18}) ([0-9]{1,18})");

    public static QueuePosition of(AdmissionDecision decision, long shown) {
        String state = "lapsed";
        if (decision.kind() == AdmissionDecision.Kind.WAITING) {
            state = decision.position() == 0 ? EARLY : "waiting";
        } else if (decision.kind() == AdmissionDecision.Kind.DEFERRED) {
            state = UNKNOWN;
        } else if (decision.kind().passes()) {
            state = "admitted";
        } else if (decision.kind() == AdmissionDecision.Kind.UNKNOWN) {
            state = shown > 0 ? "waiting" : UNKNOWN;
        }
        return new QueuePosition(state, shown, seconds(decision.estimate()), Math.max(1, retrySeconds(decision)));
    }

    /** Returns the position that {@link #note} wrote; null for another text. */
    public static @Nullable QueuePosition of(String note) {
        Matcher matcher = NOTE.matcher(note);
        return matcher.matches()
                ? new QueuePosition(
                        matcher.group(1),
                        Long.parseLong(matcher.group(2)),
                        Long.parseLong(matcher.group(3)),
                        Long.parseLong(matcher.group(4)))
                : null;
    }

    /** Returns this position as a short text for {@link #of(String)}. */
    public String note() {
        return state + ' ' + position + ' ' + estimateSeconds + ' ' + retrySeconds;
    }

    /** Rounds up, so that no client comes back in vain; with a place down, so that one that does as it is told is not silent for an absence. */
    private static long retrySeconds(AdmissionDecision decision) {
        boolean placed = decision.kind() == AdmissionDecision.Kind.WAITING;
        return placed ? decision.retry() / SECOND : seconds(decision.retry());
    }

    /** Returns whether the room is not open yet, so that there are no positions. */
    boolean early() {
        return state.equals(EARLY);
    }

    /** Returns whether there is no place, since the client keeps no ticket. */
    boolean unkept() {
        return equals(NO_COOKIE);
    }

    /** Returns whether the wait has ended. */
    public boolean settled() {
        return state.equals("admitted") || state.equals("lapsed");
    }

    /** Returns this position as JSON. Contains only numbers and fixed words, so no escaping is needed. */
    public String json() {
        return "{\"state\":\"" + state + "\",\"position\":" + position + ",\"estimate\":" + estimateSeconds
                + ",\"retry-after\":" + retrySeconds + "}\n";
    }

    /** Adds a random time of up to a quarter, or up to 1 s if that is more, so that clients do not all retry at the same time. */
    static long spread(long seconds) {
        return seconds + ThreadLocalRandom.current().nextLong(Math.max(1, seconds / 4) + 1);
    }

    static long seconds(long micros) {
        return (micros + SECOND - 1) / SECOND;
    }
}
