package dev.postern.app.config.read;

import java.util.Comparator;

/**
 * Provenance of a value: its source and position.
 *
 * @param source the file, a variable, {@code --set}, or {@code default}
 * @param rank order of sources: a later source overrides an earlier one
 * @param line 1-based, 0 for a source without lines
 * @param column 1-based, 0 for a source without lines
 */
public record Provenance(String source, int rank, int line, int column) {

    static final Provenance DEFAULT = new Provenance("default", 0, 0, 0);

    static final Comparator<Provenance> ORDER = Comparator.comparingInt(Provenance::rank)
            .thenComparing(Provenance::source)
            .thenComparingInt(Provenance::line)
            .thenComparingInt(Provenance::column);

    static Provenance file(String name, int line, int column) {
        return new Provenance(name, 1, line, column);
    }

    static Provenance variable(String name) {
        return new Provenance(name, 2, 0, 0);
    }

    static Provenance flag(String key) {
        return new Provenance("--set " + key, 3, 0, 0);
    }

    @Override
    public String toString() {
        return line > 0 ? source + ":" + line + ":" + column : source;
    }
}
