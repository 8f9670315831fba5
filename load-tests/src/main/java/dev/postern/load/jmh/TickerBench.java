package dev.postern.load.jmh;

import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares a read of an event loop's ticker with {@link System#nanoTime}, in alternating JVMs. */
@Command(name = "ticker", description = "A read of the event loop's ticker against System.nanoTime(), by JMH.")
public final class TickerBench implements Callable<Integer> {
    /** Ratio that counts as no more: what two runs of the same code differ by. */
    private static final double SAME = 1.02;

    @Option(names = "--rounds", description = "Rounds; each measures every read in a JVM of its own.")
    int rounds = 12;

    /** Nanoseconds of each read in one round. */
    private record Round(double system, double ticker, double deadline) {
        static Round take() {
            Collection<RunResult> results =
                    Jmh.run(Jmh.iterations(Jmh.options(TickerRead.class), 3, 5, TimeValue.milliseconds(200)));
            return new Round(nanos(results, "system"), nanos(results, "ticker"), nanos(results, "deadline"));
        }

        private static double nanos(Collection<RunResult> results, String read) {
            return Jmh.scores(results, read).get(0);
        }
    }

    @Override
    public Integer call() {
        List<Round> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            Progress.say("round %d of %d", round, rounds);
            all.add(Round.take());
        }
        Interval ratio = Interval.of(all, round -> round.ticker() / round.system());
        Table table = new Table()
                .note("System.nanoTime(), ns", Interval.of(all, Round::system))
                .note("ticker of the loop, ns", Interval.of(all, Round::ticker))
                .note("by a deadline, ns", Interval.of(all, Round::deadline))
                .verdict("ticker / System.nanoTime()", ratio.toString(), "from <= " + SAME, ratio.low() <= SAME);
        return table.print();
    }
}
