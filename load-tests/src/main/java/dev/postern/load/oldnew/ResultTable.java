package dev.postern.load.oldnew;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Result table: a row for each scenario, in Markdown. */
final class ResultTable {
    private static final String HEAD = """
            | scenario | old, CPU us | new, CPU us | new / old | 95 %% interval | goal | verdict |
            | --- | --- | --- | --- | --- | --- | --- |
            """.formatted();

    private final List<String> rows = new ArrayList<>();
    private boolean missed;
    private boolean undecided;

    /** Adds the row of a scenario and returns it. */
    String add(String scenario, Result result) {
        Result.Verdict verdict = result.verdict();
        missed |= verdict == Result.Verdict.MISSED;
        undecided |= verdict == Result.Verdict.NONE;
        return add(String.format(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %.3f | %.3f..%.3f | <= %.2f | %s |",
                scenario,
                result.oldMicros(),
                result.newMicros(),
                result.ratio().median(),
                result.ratio().low(),
                result.ratio().high(),
                Result.BOUND,
                verdict == Result.Verdict.NONE
                        ? "none: %d of %d rounds".formatted(result.rounds(), Result.MIN_ROUNDS)
                        : verdict.name()));
    }

    /** Adds the row of a scenario that could not be measured, and returns it. */
    String notMeasured(String scenario, String reason) {
        undecided = true;
        return add("| %s | | | | | <= %s | not measured: %s |".formatted(scenario, Result.BOUND, reason));
    }

    private String add(String row) {
        rows.add(row);
        return row;
    }

    /** Returns the exit status: 1 if a goal is missed, otherwise 2 if a scenario has no verdict, otherwise 0. */
    int status() {
        return missed ? 1 : undecided ? 2 : 0;
    }

    @Override
    public String toString() {
        return HEAD + String.join("\n", rows) + "\n";
    }
}
