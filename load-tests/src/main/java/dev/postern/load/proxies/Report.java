package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Table;
import dev.postern.load.plot.Bar;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a run found: its table, and the ratios among its rows for the plot. */
final class Report {
    private final Table table = new Table();
    private final List<Bar> bars = new ArrayList<>();

    void note(String row, String figure, Object value) {
        table.note(row + ": " + figure, value);
    }

    void figure(String row, String figure, Interval interval, @Nullable Goal goal) {
        if (goal == null) {
            note(row, figure, interval);
        } else {
            table.verdict(row + ": " + figure, interval.toString(), goal.toString(), goal.met(interval.median()));
        }
    }

    /** A figure of the plot too. */
    void ratio(String row, String figure, String label, Interval interval, @Nullable Goal goal) {
        figure(row, figure, interval, goal);
        bars.add(new Bar(row, label, interval, goal));
    }

    /** A goal is missed as well where nothing could be measured; otherwise it is only said. */
    void notMeasured(String row, String figure, String why, @Nullable Goal goal) {
        String value = "not measured: " + why;
        if (goal == null) {
            note(row, figure, value);
        } else {
            table.verdict(row + ": " + figure, value, goal.toString(), false);
        }
    }

    /** A whole part that failed. */
    void failed(String row, String why) {
        table.verdict(row, "not measured: " + why, "", false);
    }

    Table table() {
        return table;
    }

    List<Bar> bars() {
        return bars;
    }
}
