package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.store.RoomClock;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Pauses in which this process did not run, and so could hear no client. Recognised by a timer that runs late. Times are microseconds of
 * this node's clock. Confined to one loop.
 */
final class Pauses {

    /** Longest time for which pauses are remembered: no room ends an idle pass later. */
    private static final long MEMORY = 86_400_000_000L;

    /** Maximum number of remembered pauses: the oldest is forgotten first. */
    private static final int MAX = 256;

    private final Deque<Pause> recent = new ArrayDeque<>();
    private long looked;
    /** Time for which this process ran. */
    private long ran;

    /** @param at time for which the process had run before */
    private record Pause(long at, long length) {}

    /** Called at short intervals. */
    void look(long now) {
        long passed = looked == 0 ? 0 : now - looked;
        looked = now;
        if (passed > RoomClock.GAP) {
            recent.add(new Pause(ran, passed));
        } else {
            ran += passed;
        }
        while (recent.size() > MAX || !recent.isEmpty() && recent.getFirst().at < ran - MEMORY) {
            recent.removeFirst();
        }
    }

    /** Returns the length of all pauses since the process has run for the last {@code micros}. */
    long within(long micros) {
        long length = 0;
        for (Pause pause : recent) {
            length += pause.at > ran - micros ? pause.length : 0;
        }
        return length;
    }
}
