package dev.postern.ratelimit.waiting;

import dev.postern.ratelimit.queue.AdmissionDecision;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What one who waits is told.
 *
 * @param state {@code waiting}, {@code early} before the opening, {@code admitted}, {@code lapsed} or {@code unknown}
 * @param position in the line, 0 for none
 * @param estimateSeconds until admission, 0 for none
 * @param retrySeconds after which to ask again, at least 1
 */
public record QueuePosition(String state, long position, long estimateSeconds, long retrySeconds) {

    private static final String EARLY = "early";
    private static final long SECOND = 1_000_000;

    public static QueuePosition of(AdmissionDecision decision, long shown) {
        String state = "lapsed";
        if (decision.kind() == AdmissionDecision.Kind.WAITING) {
            state = decision.position() == 0 ? EARLY : "waiting";
        } else if (decision.kind().passes()) {
            state = "admitted";
        } else if (decision.kind() == AdmissionDecision.Kind.UNKNOWN) {
            state = shown > 0 ? "waiting" : "unknown";
        }
        return new QueuePosition(state, shown, seconds(decision.estimate()), Math.max(1, seconds(decision.retry())));
    }

    /** Whether the room is not open yet, so that nobody has a place. */
    boolean early() {
        return state.equals(EARLY);
    }

    /** Whether there is nothing more to wait for. */
    public boolean settled() {
        return state.equals("admitted") || state.equals("lapsed");
    }

    /** Plain numbers and our own words: nothing needs escaping. */
    public String json() {
        return "{\"state\":\"" + state + "\",\"position\":" + position + ",\"estimate\":" + estimateSeconds
                + ",\"retry-after\":" + retrySeconds + "}\n";
    }

    /** Up to a quarter more, and a second at least, so that those who were told together don't come again together. */
    static long spread(long seconds) {
        return seconds + ThreadLocalRandom.current().nextLong(Math.max(1, seconds / 4) + 1);
    }

    static long seconds(long micros) {
        return (micros + SECOND - 1) / SECOND;
    }
}
