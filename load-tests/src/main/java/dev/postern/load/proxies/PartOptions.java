package dev.postern.load.proxies;

import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of a benchmark of several parts, which are measured in turn. */
public final class PartOptions extends PaceOptions {
    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "Once for each part, all by default; an unknown name prints all names.",
            split = ",")
    List<String> only = new ArrayList<>();

    @Spec(Spec.Target.MIXEE)
    CommandSpec spec = CommandSpec.create();

    /** The values are the defaults of the options. */
    public PartOptions(int rounds, int seconds, int warmUp) {
        super(rounds, seconds, warmUp);
    }

    /**
     * Measures the chosen parts and prints each result at once, so that an interrupted run keeps its finished parts.
     *
     * @return the exit status: 0, or 1 if a goal is missed, or 2 if all parts failed
     */
    public int measure(List<Part> all) {
        List<String> names = all.stream().map(Part::name).toList();
        if (!names.containsAll(only)) {
            throw new ParameterException(
                    spec.commandLine(), "--only: " + String.join(",", only) + " (expected: some of " + names + ")");
        }
        boolean measured = false;
        boolean missed = false;
        for (Part part : all) {
            if (only.isEmpty() || only.contains(part.name())) {
                Table table = new Table();
                measured |= measure(part, table);
                missed |= table.missed();
                System.out.println("**" + part.title() + "**\n\n" + table);
            }
        }
        return measured ? missed ? 1 : 0 : 2;
    }

    /** Returns false if the part failed; the table keeps the rows that it added before. */
    private boolean measure(Part part, Table table) {
        try {
            part.measure(pace(), table);
            return true;
        } catch (RuntimeException e) {
            // The other parts may take half an hour, so a failed part does not discard their results.
            Progress.say(part.name() + " failed: " + e);
            String reason = Progress.firstLine(e);
            table.verdict("the rest", "not measured: " + reason, "", false);
            return false;
        }
    }
}
