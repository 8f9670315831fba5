package dev.postern.load.experiment.queue;

import dev.postern.load.crowd.Stretches;
import dev.postern.load.crowd.Stretches.Change;
import dev.postern.load.crowd.Stretches.Stretch;
import java.time.Duration;
import java.util.List;

/** Sessions of one trial, as the origin saw them. */
record Sessions(Room room, Stretches stretches) {
    /** Longer than a browser may fetch the parts of a page that passed at the base rate. */
    private static final Duration SETTLING = Duration.ofSeconds(10);

    private static final double SECOND = 1e6;

    /**
     * Point of a chart.
     *
     * @param active sessions from this second on
     */
    record Point(double second, int active) {}

    /** Returns the number of sessions over time, from the first session on. */
    List<Point> points() {
        List<Change> changes = stretches.changes(begin(), Long.MAX_VALUE);
        return changes.stream()
                .map(change -> new Point((change.at() - begin()) / SECOND, change.active()))
                .toList();
    }

    /** Returns when the first session came, or 0 if none came. */
    private long begin() {
        return stretches.all().stream().findFirst().map(Stretch::first).orElse(0L);
    }

    /**
     * Returns the maximum number of admitted sessions at once. Where requests may pass at the base rate, these and the
     * parts of their pages come first and are left out.
     */
    int peak() {
        long from = room.load().everybodyQueues() ? begin() : begin() + SETTLING.toNanos() / 1000;
        return stretches.peak(from, Long.MAX_VALUE);
    }
}
