package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Table;
import org.jspecify.annotations.Nullable;

/** Report of a part: its table under its title. */
final class Report {
    private final String title;
    private final Table table = new Table();
    private boolean failed;

    Report(String title) {
        this.title = title;
    }

    void note(String figure, Object value) {
        table.note(figure, value);
    }

    void figure(String figure, Interval interval, @Nullable Goal goal) {
        if (goal == null) {
            note(figure, interval);
        } else {
            table.goal(figure, interval, goal);
        }
    }

    /** Adds a figure that was not measured: with a goal it counts as missed, otherwise the row is information only. */
    void notMeasured(String figure, String reason, @Nullable Goal goal) {
        String value = "not measured: " + reason;
        if (goal == null) {
            note(figure, value);
        } else {
            table.verdict(figure, value, goal.toString(), false);
        }
    }

    /** Marks the part as failed and keeps the rows that it added before. */
    void failed(String reason) {
        failed = true;
        table.verdict("the rest", "not measured: " + reason, "", false);
    }

    boolean isFailed() {
        return failed;
    }

    boolean missed() {
        return table.missed();
    }

    /** Returns the report as Markdown, like all tables. */
    @Override
    public String toString() {
        return "**" + title + "**\n\n" + table;
    }
}
