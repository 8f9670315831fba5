package dev.postern.load.crowd;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Stretches of activity of all sessions, in the order of their beginnings. All times in microseconds since 1970. */
public record Stretches(List<Stretch> all) {
    public Stretches(List<Stretch> all) {
        this.all = all.stream().sorted(Comparator.comparingLong(Stretch::first)).toList();
    }

    /**
     * Stretch of activity of one session.
     *
     * @param last before {@code first} if one request of the session was served: such a stretch has no length and
     *     overlaps no other
     */
    public record Stretch(long first, long last, String session) {}

    /**
     * Change of the number of active sessions.
     *
     * @param active sessions from this instant on
     */
    public record Change(long at, int active) {}

    /** Returns the maximum number of sessions that were active at one instant of that time. */
    public int peak(long from, long end) {
        return changes(from, end).stream().mapToInt(Change::active).max().orElse(0);
    }

    /** Returns the changes of the number of active sessions in that time, in order. */
    public List<Change> changes(long from, long end) {
        List<long[]> changes = new ArrayList<>();
        for (Stretch stretch : all) {
            long first = Math.max(from, stretch.first);
            long last = Math.min(end, stretch.last);
            if (last >= first) {
                changes.add(new long[] {first, 1});
                changes.add(new long[] {last, -1});
            }
        }
        // A session that begins at the instant at which another one ends overlaps it.
        changes.sort(Comparator.comparingLong((long[] change) -> change[0]).thenComparingLong(change -> -change[1]));
        int active = 0;
        List<Change> counted = new ArrayList<>();
        for (long[] change : changes) {
            active += (int) change[1];
            counted.add(new Change(change[0], active));
        }
        return counted;
    }

    /** Returns the instants of that time at which sessions became active. */
    public List<Long> starts(long from, long end) {
        return all.stream()
                .map(Stretch::first)
                .filter(first -> first >= from && first < end)
                .toList();
    }

    /** Returns a line for each stretch: beginning, end, session. */
    public String text() {
        return all.stream()
                .map(stretch -> stretch.first + " " + stretch.last + " " + stretch.session + "\n")
                .collect(Collectors.joining());
    }
}
