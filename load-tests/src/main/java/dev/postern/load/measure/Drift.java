package dev.postern.load.measure;

import java.util.List;

/**
 * Drift of a figure over the cycles of a run: the median of the first third of the cycles and that of the last third. Medians, so that a
 * disturbance of the machine in a few cycles does not decide.
 */
public record Drift(double first, double last) {
    /** Minimum number of cycles, so that a third has more than one. */
    public static final int MIN_CYCLES = 6;

    /** @param values of the same step in each cycle, in their order */
    public static Drift of(List<Double> values) {
        if (values.size() < MIN_CYCLES) {
            throw new IllegalArgumentException("cycles: " + values.size() + " (expected: " + MIN_CYCLES + " or more)");
        }
        int third = values.size() / 3;
        return new Drift(
                Spread.of(values.subList(0, third)).median(),
                Spread.of(values.subList(values.size() - third, values.size())).median());
    }

    public double ratio() {
        return last / first;
    }

    public double difference() {
        return last - first;
    }

    public double percent() {
        return 100 * (ratio() - 1);
    }
}
