package dev.postern.load.observe;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the cost of measuring and recording an exchange, inside one JVM. */
@Command(
        name = "observation",
        description = "Meters, stage times, failure records and log: nanoseconds for an exchange, by JMH.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
public final class ObservationBench implements Callable<Integer> {
    private static final Goal MICROS = Goal.atMost(0.5);
    /** Benchmarks of {@link ObservedExchange} other than {@code everything}, in the order of the table. */
    private static final List<String> PARTS =
            List.of("stageTimes", "deadlines", "spendParts", "checks", "counters", "logs", "everyLine");

    @Option(names = "--forks", description = "JVMs that each part is measured in.")
    int forks = 5;

    @Override
    public Integer call() throws RunnerException {
        Progress.say("measuring, %d JVMs for each part; leak detection is off".formatted(forks));
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(ObservedExchange.class.getName() + "\\..*")
                        .forks(forks)
                        .jvmArgsAppend("-Djmh.executor=CUSTOM", "-Djmh.executor.class=" + LoopThreads.class.getName())
                        .warmupIterations(5)
                        .warmupTime(TimeValue.milliseconds(400))
                        .measurementIterations(5)
                        .measurementTime(TimeValue.milliseconds(400))
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        Table table =
                new Table().goal("everything, us for an exchange", Spread.of(micros(results, "everything")), MICROS);
        for (String part : PARTS) {
            table.note(part + ", us", Spread.of(micros(results, part)));
        }
        System.out.println(table);
        return table.status();
    }

    /** Returns the results of each JVM. */
    private static List<Double> micros(Collection<RunResult> results, String part) {
        return results.stream()
                .filter(result -> result.getParams().getBenchmark().endsWith("." + part))
                .flatMap(result -> result.getBenchmarkResults().stream())
                .map(BenchmarkResult::getPrimaryResult)
                .map(jvm -> jvm.getScore() / 1_000)
                .toList();
    }
}
