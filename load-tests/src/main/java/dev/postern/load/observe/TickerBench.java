package dev.postern.load.observe;

import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares a read of an event loop's ticker with {@link System#nanoTime}, in alternating JVMs. */
@Command(
        name = "ticker",
        description = "A read of the event loop's ticker against System.nanoTime(), by JMH.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
public final class TickerBench implements Callable<Integer> {
    /** Ratio that counts as no more: what two runs of the same code differ by. */
    private static final double SAME = 1.02;

    @Option(names = "--rounds", description = "Rounds; each measures every read in a JVM of its own.")
    int rounds = 12;

    /** Nanoseconds of each read in one round. */
    private record Round(double system, double ticker, double deadline) {
        private Round(Collection<RunResult> results) {
            this(nanos(results, "system"), nanos(results, "ticker"), nanos(results, "deadline"));
        }

        private static double nanos(Collection<RunResult> results, String read) {
            return results.stream()
                    .filter(result -> result.getParams().getBenchmark().endsWith("." + read))
                    .mapToDouble(result -> result.getPrimaryResult().getScore())
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Override
    public Integer call() throws RunnerException {
        List<Round> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            Progress.say("round %d of %d".formatted(round, rounds));
            all.add(new Round(measured()));
        }
        Interval ratio = Interval.of(all, round -> round.ticker() / round.system());
        Table table = new Table()
                .note("System.nanoTime(), ns", Interval.of(all, Round::system))
                .note("ticker of the loop, ns", Interval.of(all, Round::ticker))
                .note("by a deadline, ns", Interval.of(all, Round::deadline))
                .verdict("ticker / System.nanoTime()", ratio.toString(), "from <= " + SAME, ratio.low() <= SAME);
        System.out.println(table);
        return table.status();
    }

    private static Collection<RunResult> measured() throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(TickerRead.class.getName() + "\\..*")
                        .forks(1)
                        .warmupIterations(3)
                        .warmupTime(TimeValue.milliseconds(200))
                        .measurementIterations(5)
                        .measurementTime(TimeValue.milliseconds(200))
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
    }
}
