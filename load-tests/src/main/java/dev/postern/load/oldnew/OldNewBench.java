package dev.postern.load.oldnew;

import dev.postern.load.measure.Machine;
import dev.postern.load.measure.Progress;
import dev.postern.load.proxies.Alternation;
import dev.postern.load.proxies.Contender;
import dev.postern.load.proxies.Pace;
import dev.postern.load.proxies.Rounds;
import dev.postern.load.server.RunFolder;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures the CPU time per request of the gateway of another commit and of this project's, in alternating turns. */
@Command(
        name = "old-new",
        description = {
            "CPU time per request of the gateway of COMMIT (old) and of this checkout (new), in alternating turns.",
            "A goal is missed when the whole 95 %% interval of the median of new / old lies above it; there is no"
                    + " verdict on fewer than " + Result.MIN_ROUNDS + " rounds."
        },
        footer = {"", "Example: load-tests/bench old-new HEAD~20 --only proxy,tls"})
public final class OldNewBench implements Callable<Integer> {
    @Parameters(paramLabel = "COMMIT", description = "The old commit, by hash, tag or branch.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls.
    String commit;

    @Option(names = "--rounds", description = "Alternating rounds of each scenario.")
    int rounds = Result.MIN_ROUNDS;

    @Option(
            names = "--rounds-per-start",
            description = "Rounds after which both gateways are started anew, because the JIT compilers decide anew in"
                    + " each start.")
    int roundsPerStart = 2;

    @Option(names = "--seconds", description = "Length of the turn of each gateway in a round.")
    int seconds = 2;

    @Option(
            names = "--warm-up",
            description = "Seconds of load on each gateway after each start; longer on a busy machine.")
    int warmUp = 12;

    @Option(
            names = "--only",
            paramLabel = "SCENARIO",
            split = ",",
            showDefaultValue = Visibility.NEVER,
            description = "Some of ${COMPLETION-CANDIDATES}; all by default.")
    Set<Scenario> only = EnumSet.noneOf(Scenario.class);

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        Plan plan = checked(
                "", () -> new Plan(rounds, roundsPerStart, Duration.ofSeconds(seconds), Duration.ofSeconds(warmUp)));
        Commit old = checked("COMMIT: ", () -> Commit.of(commit));
        ResultTable table = new ResultTable();
        String head = head(old);
        try (RunFolder run = RunFolder.create("old-new-builds")) {
            BuildComparison comparison = new BuildComparison(Builds.prepare(run, old), plan);
            for (Scenario scenario : only.isEmpty() ? EnumSet.allOf(Scenario.class) : only) {
                measure(scenario, comparison, table);
            }
        }
        System.out.println(head + table);
        return table.status();
    }

    /** Measures a scenario; one that fails does not discard the results of the others. */
    private static void measure(Scenario scenario, BuildComparison comparison, ResultTable table) {
        try {
            Progress.say(table.add(scenario.toString(), comparison.of(scenario)));
        } catch (RuntimeException e) {
            Progress.say(scenario + " failed: " + e);
            String reason = Progress.firstLine(e);
            Progress.say(table.notMeasured(scenario.toString(), reason));
        }
    }

    private String head(Commit old) {
        String arguments = String.join(" ", spec.commandLine().getParseResult().originalArgs());
        return """
            Command: `load-tests/bench %s`. Old: %s, new: %s. Machine: %s. Date: %s.

            """.formatted(arguments, old.hash(), Commit.current(), Machine.current(), LocalDate.now());
    }

    private <T> T checked(String prefix, Supplier<T> argument) {
        try {
            return argument.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), prefix + e.getMessage(), e);
        }
    }

    /**
     * Build comparison: the gateways of both builds run at once, on one core, and take the load of a scenario in turn; after
     * some rounds both are started anew.
     */
    private record BuildComparison(Builds builds, Plan plan) {
        /** Takes all rounds of the plan. */
        Result of(Scenario scenario) {
            List<Rounds> starts = new ArrayList<>();
            List<Pace> paces = plan.starts();
            try (RunFolder folder = RunFolder.create("old-new-" + scenario)) {
                Progress.say(scenario + ": " + scenario.title() + "; configurations and logs: " + folder
                        + "; leak detection is off");
                Site site = scenario.open(folder, plan, builds);
                List<Build> order = new ArrayList<>(List.of(builds.old(), builds.current()));
                for (Pace pace : paces) {
                    Progress.say("%s: start %d of %d", scenario, starts.size() + 1, paces.size());
                    try (RunFolder start = folder.part("start-" + (starts.size() + 1))) {
                        starts.add(rounds(scenario, site, order, pace, start));
                    }
                    // Each build starts first equally often.
                    Collections.reverse(order);
                }
            }
            return Result.of(starts);
        }

        private static Rounds rounds(Scenario scenario, Site site, List<Build> order, Pace pace, RunFolder start) {
            List<Contender> contenders =
                    order.stream().map(build -> site.start(build, start)).toList();
            contenders.forEach(contender -> contender.warmUp(pace.warmUp()));
            Alternation alternation = new Alternation(scenario.toString(), pace);
            alternation.take(contenders);
            return alternation.rounds();
        }
    }
}
