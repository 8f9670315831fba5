package dev.postern.load.plan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Order of admission to a waiting room, as its visitors see it. Thread-safe.
 *
 * <p>A room with k free slots admits those of the first k visitors that ask, so a visitor may be admitted before k - 1 earlier ones that have
 * not asked yet; none of them loses its slot.
 */
public final class RoomOrder {
    private final Set<Integer> waiting = new HashSet<>();
    private final Map<Integer, Integer> positions = new HashMap<>();
    private int arrivals;
    private int admissions;
    private int queued;
    private int risen;
    private int mostPassed;

    /** Returns the number of a new visitor. */
    public synchronized int arrived() {
        waiting.add(arrivals);
        return arrivals++;
    }

    /** Records the position that the room shows to a visitor. */
    public synchronized void waits(int visitor, int position) {
        Integer last = positions.put(visitor, position);
        queued += last == null ? 1 : 0;
        risen += last != null && position > last ? 1 : 0;
    }

    /** Records that a visitor is admitted. */
    public synchronized void admitted(int visitor) {
        waiting.remove(visitor);
        admissions++;
        int passed = (int) waiting.stream().filter(earlier -> earlier < visitor).count();
        mostPassed = Math.max(mostPassed, passed);
    }

    /**
     * Returns the goal that was missed, after the last admission: not all were admitted, or not in order, or none had to queue.
     *
     * @param active slots of the room
     */
    public synchronized Optional<MissedGoal> missed(int visitors, int active) {
        boolean met = admissions == visitors && queued > 0 && risen == 0 && mostPassed <= active;
        return met
                ? Optional.empty()
                : Optional.of(new MissedGoal(
                        text(),
                        visitors + " admitted, some of them queued, no position that rose, at most " + active
                                + " earlier visitors waiting"));
    }

    public synchronized String text() {
        return admissions + " of " + arrivals + " visitors admitted, " + queued + " of them queued, " + risen
                + " positions rose, " + mostPassed + " earlier visitors were waiting at an admission at most";
    }
}
