package dev.postern.load.bench;

import dev.postern.load.authorize.AuthorizeBench;
import dev.postern.load.distance.DistanceBench;
import dev.postern.load.dribble.DribbleBench;
import dev.postern.load.jmh.ObservationBench;
import dev.postern.load.jmh.TickerBench;
import dev.postern.load.oldnew.OldNewBench;
import dev.postern.load.proxies.ProxiesBench;
import dev.postern.load.proxies.StartBench;
import dev.postern.load.proxies.TlsBench;
import dev.postern.load.proxies.TunnelsBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/**
 * Main class of {@code load-tests/bench}: exit status 0 when every goal is met, 1 when a goal is missed, 2 when the
 * measurement failed.
 */
@Command(
        name = "load-tests/bench",
        description = "Benchmarks over real servers on loopback. Each prints a table with goals, MET or MISSED.",
        scope = ScopeType.INHERIT,
        showDefaultValues = true,
        mixinStandardHelpOptions = true,
        subcommands = {
            ProxiesBench.class,
            TlsBench.class,
            VerifyBench.class,
            BatchBench.class,
            LedgerBench.class,
            RefuseBench.class,
            SizeBench.class,
            RoomBench.class,
            ObservationBench.class,
            TickerBench.class,
            StartBench.class,
            TunnelsBench.class,
            OldNewBench.class,
            DribbleBench.class,
            DistanceBench.class,
            AuthorizeBench.class
        })
public final class Bench {
    private Bench() {}

    public static void main(String... arguments) {
        exit(new Bench(), arguments);
    }

    /** Runs a main class and ends the process with the exit status: 2 when the command failed. */
    public static void exit(Object command, String... arguments) {
        System.exit(new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((problem, line, parsed) -> {
                    problem.printStackTrace(line.getErr());
                    return 2;
                })
                .execute(arguments));
    }
}
