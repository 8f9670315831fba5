package dev.postern.app.config.read;

import java.util.Comparator;

/**
 * Where a value comes from.
 *
 * @param source the file, a variable, {@code --set}, or {@code default}
 * @param rank order of sources: a later one overrides an earlier one
 * @param line 1-based, 0 where there are no lines
 * @param column 1-based, 0 where there are no lines
 */
public record Origin(String source, int rank, int line, int column) {

    static final Origin DEFAULT = new Origin("default", 0, 0, 0);

    static final Comparator<Origin> ORDER = Comparator.comparingInt(Origin::rank)
            .thenComparing(Origin::source)
            .thenComparingInt(Origin::line)
            .thenComparingInt(Origin::column);

    static Origin file(String name, int line, int column) {
        return new Origin(name, 1, line, column);
    }

    static Origin variable(String name) {
        return new Origin(name, 2, 0, 0);
    }

    static Origin flag(String key) {
        return new Origin("--set " + key, 3, 0, 0);
    }

    @Override
    public String toString() {
        return line > 0 ? source + ":" + line + ":" + column : source;
    }
}
