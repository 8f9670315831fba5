package dev.postern.load.plan;

import java.util.List;
import java.util.OptionalInt;

/**
 * Capacity: the highest arrival rate up to which every level stayed within the limits.
 *
 * @param text the rate, and the level that exceeded the limits if any did
 */
public record Capacity(OptionalInt rate, String text) {
    private static final long MICROS = 1000;

    /**
     * Finds the capacity.
     *
     * @param results of the levels by rising rate; that of a warm-up is ignored
     */
    public static Capacity of(List<PhaseResult> results, Settings settings) {
        OptionalInt last = OptionalInt.empty();
        List<PhaseResult> levels = results.stream()
                .filter(result -> !result.name().equals(Phases.WARM_UP))
                .toList();
        for (PhaseResult level : levels) {
            if (level.p99() > settings.number(Parameter.LIMIT_P99) * MICROS
                    || level.failedPercent() > settings.number(Parameter.LIMIT_FAILED)) {
                String known = last.isPresent() ? last.getAsInt() + "/s" : "below " + level.rate() + "/s";
                return new Capacity(last, known + " (at " + level.name() + " the limits are exceeded)");
            }
            last = OptionalInt.of(level.rate());
        }
        return new Capacity(
                last,
                last.isPresent() ? "at least " + last.getAsInt() + "/s (no level exceeds the limits)" : "not measured");
    }
}
