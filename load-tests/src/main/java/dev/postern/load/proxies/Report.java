package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Table;
import dev.postern.load.plot.Bar;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a part found: its table under its title, and the ratios among its rows for the plot. */
final class Report {
    private final String title;
    private final Table table = new Table();
    private final List<Bar> bars = new ArrayList<>();

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
            table.verdict(figure, interval.toString(), goal.toString(), goal.met(interval.median()));
        }
    }

    /** A figure of the plot too. */
    void ratio(String figure, String label, Interval interval, @Nullable Goal goal) {
        figure(figure, interval, goal);
        bars.add(new Bar(title, label, interval, goal));
    }

    void growth(String figure, Growth growth) {
        table.verdict(figure, growth.toString(), growth.goal().toString(), growth.met());
    }

    /** A goal is missed as well where nothing could be measured; otherwise it is only said. */
    void notMeasured(String figure, String reason, @Nullable Goal goal) {
        String value = "not measured: " + reason;
        if (goal == null) {
            note(figure, value);
        } else {
            table.verdict(figure, value, goal.toString(), false);
        }
    }

    /** The part failed; what it found before stands. */
    void failed(String reason) {
        table.verdict("the rest", "not measured: " + reason, "", false);
    }

    boolean missed() {
        return table.missed();
    }

    List<Bar> bars() {
        return bars;
    }

    /** Markdown, as all tables are. */
    @Override
    public String toString() {
        return "**" + title + "**\n\n" + table;
    }
}
