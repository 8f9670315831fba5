package dev.postern.load.run;

import dev.postern.load.measure.Table;
import dev.postern.load.server.RunFolder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Main class of {@code load-tests/run}: exit status 0 when all results were as expected, 1 when not, 2 when the run
 * failed.
 */
@Command(
        name = "load-tests/run",
        description = "Starts all servers that a run needs, sends its visitors, and checks the servers' own counters.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  load-tests/run Steady --tokens 10000",
            "  load-tests/run WaitingRoom -Drequests=200 -Dbrowsers=40",
            "  load-tests/run RedisOutage",
            "  load-tests/run Floods -Dseconds=30"
        })
public final class Run implements Callable<Integer> {
    /** Simulations that can be run. */
    enum Simulation {
        Smoke,
        Steady,
        DoubleSpend,
        WaitingRoom,
        RedisOutage,
        Floods
    }

    @Parameters(paramLabel = "SIMULATION", description = "${COMPLETION-CANDIDATES}")
    private Simulation simulation = Simulation.Smoke;

    @Option(
            names = "--tokens",
            description = "Tokens to mint (default: 20 for Smoke, 10000 for Steady, 200 for DoubleSpend).")
    private int tokens;

    @Option(names = "-D", paramLabel = "NAME=VALUE", description = "A parameter of the simulation; it prints them all.")
    private Map<String, String> properties = new LinkedHashMap<>();

    private Run() {}

    public static void main(String... arguments) {
        System.exit(new CommandLine(new Run())
                .setExecutionExceptionHandler((problem, line, parsed) -> {
                    problem.printStackTrace(line.getErr());
                    return 2;
                })
                .execute(arguments));
    }

    @Override
    public Integer call() {
        RunFolder folder = RunFolder.create(simulation.name());
        Gatling gatling = new Gatling(folder, properties);
        Table table = switch (simulation) {
            case Smoke -> new TokenRun(folder, gatling).smoke(tokens(20));
            case Steady -> new TokenRun(folder, gatling).steady(tokens(10_000));
            case DoubleSpend -> new TokenRun(folder, gatling).doubleSpend(tokens(200));
            case WaitingRoom -> WaitingRoomRun.of(folder, properties).run();
            case Floods -> FloodsRun.of(folder, properties).run();
            case RedisOutage -> RedisOutageRun.of(folder, properties).run();
        };
        System.out.println();
        System.out.println(table);
        return table.status();
    }

    private int tokens(int otherwise) {
        return tokens > 0 ? tokens : otherwise;
    }
}
