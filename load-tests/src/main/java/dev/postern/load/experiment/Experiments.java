package dev.postern.load.experiment;

import dev.postern.load.bench.Bench;
import dev.postern.load.experiment.doublespend.DoubleSpendExperiment;
import dev.postern.load.experiment.keepalive.KeepAliveExperiment;
import dev.postern.load.experiment.order.OrderExperiment;
import dev.postern.load.experiment.queue.FairQueue;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/**
 * Main class of {@code load-tests/experiments/NAME}: exit status 0 when every goal is met, 1 when a goal is missed, 2
 * when the experiment failed.
 */
@Command(
        name = "load-tests/experiments",
        description = "Experiments over real servers on loopback. Each prints a table with goals, MET or MISSED, and"
                + " writes it with its data and a plot to load-tests/target/experiments.",
        scope = ScopeType.INHERIT,
        showDefaultValues = true,
        mixinStandardHelpOptions = true,
        subcommands = {FairQueue.class, DoubleSpendExperiment.class, KeepAliveExperiment.class, OrderExperiment.class})
public final class Experiments {
    private Experiments() {}

    public static void main(String... arguments) {
        Bench.exit(new Experiments(), arguments);
    }
}
