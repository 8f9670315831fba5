package dev.postern.load.origin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** When which session was active, in the order of the beginnings. All times in microseconds since 1970. */
public record Stretches(List<Stretch> all) {
    private static final int WORDS = 3;

    public Stretches(List<Stretch> all) {
        this.all = all.stream().sorted(Comparator.comparingLong(Stretch::first)).toList();
    }

    /**
     * One time of activity.
     *
     * @param last before {@code first} where a session was served once: then it has no length and meets nobody
     */
    public record Stretch(long first, long last, String session) {}

    /** The most sessions that were active at one instant of that time. */
    public int peak(long from, long end) {
        List<long[]> changes = new ArrayList<>();
        for (Stretch stretch : all) {
            long first = Math.max(from, stretch.first);
            long last = Math.min(end, stretch.last);
            if (last >= first) {
                changes.add(new long[] {first, 1});
                changes.add(new long[] {last, -1});
            }
        }
        // Who comes at the instant at which another leaves meets them.
        changes.sort(Comparator.comparingLong((long[] change) -> change[0]).thenComparingLong(change -> -change[1]));
        int active = 0;
        int most = 0;
        for (long[] change : changes) {
            active += (int) change[1];
            most = Math.max(most, active);
        }
        return most;
    }

    /** When sessions became active in that time. */
    public List<Long> starts(long from, long end) {
        return all.stream()
                .map(Stretch::first)
                .filter(first -> first >= from && first < end)
                .toList();
    }

    /** A line each: its beginning, its end, and whose it was. */
    public String text() {
        return all.stream()
                .map(stretch -> stretch.first + " " + stretch.last + " " + stretch.session + "\n")
                .collect(Collectors.joining());
    }

    /** @param text as {@link #text} writes it */
    static Stretches parse(String text) {
        return new Stretches(text.lines().map(Stretches::line).toList());
    }

    private static Stretch line(String line) {
        String[] words = line.split(" ", WORDS);
        if (words.length < WORDS) {
            throw new IllegalArgumentException("activity: " + line + " (expected: beginning, end, session)");
        }
        return new Stretch(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]);
    }
}
