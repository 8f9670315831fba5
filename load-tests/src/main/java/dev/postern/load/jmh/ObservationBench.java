package dev.postern.load.jmh;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;

/** Measures the cost of measuring and recording an exchange, inside one JVM. */
@Command(
        name = "observation",
        description = "Meters, stage times, failure records and log: nanoseconds for an exchange, by JMH.")
public final class ObservationBench implements Callable<Integer> {
    private static final int FORKS = 5;
    private static final Goal MICROS = Goal.atMost(0.5);
    /** Benchmarks of {@link ObservedExchange} other than {@code everything}, in the order of the table. */
    private static final List<String> PARTS =
            List.of("stageTimes", "deadlines", "spendParts", "checks", "counters", "logs", "everyLine");

    @Override
    public Integer call() {
        Progress.say("measuring, %d JVMs for each part; leak detection is off", FORKS);
        ChainedOptionsBuilder options = Jmh.options(ObservedExchange.class)
                .forks(FORKS)
                .jvmArgsAppend("-Djmh.executor=CUSTOM", "-Djmh.executor.class=" + LoopThreads.class.getName());
        Collection<RunResult> results = Jmh.run(Jmh.iterations(options, 5, 5, TimeValue.milliseconds(400)));
        Table table = new Table().goal("everything, us for an exchange", micros(results, "everything"), MICROS);
        for (String part : PARTS) {
            table.note(part + ", us", micros(results, part));
        }
        return table.print();
    }

    /** Returns the results of all JVMs. */
    private static Spread micros(Collection<RunResult> results, String part) {
        return Spread.of(Jmh.scores(results, part), nanos -> nanos / 1_000);
    }
}
