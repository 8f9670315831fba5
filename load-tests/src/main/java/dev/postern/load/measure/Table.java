package dev.postern.load.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Table with the result of a run: a row per figure with value, goal and MET or MISSED; a row without goal is
 * information only.
 */
public final class Table {
    /**
     * Row of the table.
     *
     * @param goal empty in a row without goal
     * @param verdict MET, MISSED, or empty in a row without goal
     */
    public record Row(String figure, String value, String goal, String verdict) {}

    private static final Row HEAD = new Row("figure", "value", "goal", "verdict");

    private final List<Row> rows = new ArrayList<>();
    private boolean missed;

    public Table note(String figure, Object value) {
        rows.add(new Row(figure, value.toString(), "", ""));
        return this;
    }

    /** Adds a row whose goal the median has to meet; with null as goal, the row is information only. */
    public Table goal(String figure, Spread spread, @Nullable Goal goal) {
        return goal(figure, spread, spread.median(), goal);
    }

    private Table goal(String figure, Object value, double median, @Nullable Goal goal) {
        return goal == null
                ? note(figure, value)
                : verdict(figure, value.toString(), goal.toString(), goal.met(median));
    }

    /** Rows of figures of the same rounds. */
    public static final class Rows<R> {
        private final Table table;
        private final List<R> rounds;

        private Rows(Table table, List<R> rounds) {
            this.table = table;
            this.rounds = rounds;
        }

        /** Adds a row with median and range of a figure. */
        public Rows<R> note(String figure, ToDoubleFunction<R> value) {
            table.note(figure, Spread.of(rounds, value));
            return this;
        }

        /** Adds such a row, whose goal the median has to meet; null: no goal. */
        public Rows<R> goal(String figure, ToDoubleFunction<R> value, @Nullable Goal goal) {
            table.goal(figure, Spread.of(rounds, value), goal);
            return this;
        }
    }

    /** Returns the rows of figures of these rounds, which it adds to this table. */
    public <R> Rows<R> of(List<R> rounds) {
        return new Rows<>(this, rounds);
    }

    /** Adds a row whose goal the median has to meet; with null as goal, the row is information only. */
    public Table goal(String figure, Interval interval, @Nullable Goal goal) {
        return goal(figure, interval, interval.median(), goal);
    }

    /** Adds a figure that was not measured: a goal counts as missed. */
    public Table notMeasured(String figure, String reason, @Nullable Goal goal) {
        String value = "not measured: " + reason;
        return goal == null ? note(figure, value) : verdict(figure, value, goal.toString(), false);
    }

    public Table goal(String figure, double value, Goal goal) {
        return verdict(figure, Spread.number(value), goal.toString(), goal.met(value));
    }

    /** Adds a row of a count whose goal is zero. */
    public Table none(String figure, long count) {
        return verdict(figure, "%,d".formatted(count), "0", count == 0);
    }

    public Table verdict(String figure, String value, String goal, boolean met) {
        rows.add(new Row(figure, value, goal, met ? "MET" : "MISSED"));
        missed |= !met;
        return this;
    }

    /** Returns the rows without the head. */
    public List<Row> rows() {
        return List.copyOf(rows);
    }

    public boolean missed() {
        return missed;
    }

    /** Prints the table and returns {@link #status()}. */
    public int print() {
        System.out.println(this);
        return status();
    }

    /** Returns the exit status of a command whose result is this table. */
    public int status() {
        return missed ? 1 : 0;
    }

    /** Returns the table as Markdown, so that the docs can include it unchanged. */
    @Override
    public String toString() {
        List<Row> rows = new ArrayList<>(List.of(HEAD));
        rows.addAll(this.rows);
        int figure = width(rows.stream().map(Row::figure).toList());
        int value = width(rows.stream().map(Row::value).toList());
        int goal = width(rows.stream().map(Row::goal).toList());
        int verdict = width(rows.stream().map(Row::verdict).toList());
        String line = "| %-" + figure + "s | %-" + value + "s | %-" + goal + "s | %-" + verdict + "s |%n";
        StringBuilder text = new StringBuilder();
        for (Row row : rows) {
            text.append(line.formatted(row.figure, row.value, row.goal, row.verdict));
            if (row.equals(HEAD)) {
                text.append(line.formatted("---", "---", "---", "---"));
            }
        }
        return text.toString();
    }

    private static int width(List<String> cells) {
        return cells.stream().mapToInt(String::length).max().orElse(3);
    }
}
