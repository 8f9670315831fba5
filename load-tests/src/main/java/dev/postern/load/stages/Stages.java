package dev.postern.load.stages;

import java.util.EnumMap;
import java.util.Map;

/** What one round says of the stages: microseconds of CPU time for each request. */
public final class Stages {
    private final Map<Step, Double> micros;
    private final int together;

    /**
     * @param micros of all steps, for each of their operations
     * @param together how many spends and decisions were under way at once where they work by themselves
     */
    public Stages(Map<Step, Double> micros, int together) {
        for (Step step : Step.values()) {
            if (!micros.containsKey(step)) {
                throw new IllegalArgumentException(
                        "steps: " + micros.keySet() + " (expected: " + step + " among them)");
            }
        }
        this.micros = new EnumMap<>(micros);
        this.together = together;
    }

    public int together() {
        return together;
    }

    /** What the step cost by itself. */
    public double of(Step step) {
        return micros.getOrDefault(step, Double.NaN);
    }

    /** All that a token costs but the round trip to its ledger: field, challenge, arithmetic, and a spend in memory. */
    public double verification() {
        return of(Step.EMBEDDED_TOKEN) - of(Step.EMBEDDED_OPEN);
    }

    /** What memcached adds to that. */
    public double ledger() {
        return of(Step.TOKEN) - of(Step.OPEN) - verification();
    }

    /** What the room adds. */
    public double room() {
        return of(Step.ROOM) - of(Step.TOKEN);
    }

    /** All three, whatever the embedded ledger says. */
    public double sum() {
        return of(Step.ROOM) - of(Step.OPEN);
    }

    /** The work of all three by itself. */
    public double alone() {
        return of(Step.VERIFY) + of(Step.SPEND) + of(Step.DECIDE);
    }

    public double ratio() {
        return sum() / alone();
    }
}
