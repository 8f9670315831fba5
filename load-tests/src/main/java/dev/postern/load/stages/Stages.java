package dev.postern.load.stages;

import java.util.EnumMap;
import java.util.Map;

/** Stages of one round: microseconds of CPU time for each request. */
public final class Stages {
    private final Map<Step, Double> micros;
    private final int together;

    /**
     * @param micros of all steps, for each of their operations
     * @param together how many spends and decisions were under way at once in the steps of a stage alone
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

    /** Returns the cost of the step. */
    public double of(Step step) {
        return micros.getOrDefault(step, Double.NaN);
    }

    /**
     * Returns the cost of a token without the round trip to its ledger: field, challenge, arithmetic, and a spend in
     * memory.
     */
    public double verification() {
        return of(Step.EMBEDDED_TOKEN) - of(Step.EMBEDDED_OPEN);
    }

    /** Returns the additional cost of a ledger in memcached. */
    public double ledger() {
        return of(Step.TOKEN) - of(Step.OPEN) - verification();
    }

    /** Returns the additional cost of the waiting room. */
    public double room() {
        return of(Step.ROOM) - of(Step.TOKEN);
    }

    /** Returns the cost of all three stages, whatever the embedded ledger costs. */
    public double sum() {
        return of(Step.ROOM) - of(Step.OPEN);
    }

    /** Returns the sum of the costs of the three stages alone. */
    public double alone() {
        return of(Step.VERIFY) + of(Step.SPEND) + of(Step.DECIDE);
    }

    public double ratio() {
        return sum() / alone();
    }
}
