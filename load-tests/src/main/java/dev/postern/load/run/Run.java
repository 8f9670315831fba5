package dev.postern.load.run;

import dev.postern.load.bench.Bench;
import dev.postern.load.measure.Table;
import dev.postern.load.plan.Settings;
import dev.postern.load.plan.Simulation;
import dev.postern.load.server.RunFolder;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Main class of {@code load-tests/run}: exit status 0 when all results were as expected, 1 when not, 2 when the run
 * failed.
 */
@Command(
        name = "load-tests/run",
        description = {
            "Runs a simulation, and checks what the servers counted. all: each in its short form, in about 8 minutes.",
            "Without --url it starts all servers that it needs; with --url it starts none."
        },
        showDefaultValues = true,
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Exit codes: 0 all goals met, 1 a goal missed, 2 the run failed.",
            "",
            "Examples:",
            "  load-tests/run Steady --tokens 10000",
            "  load-tests/run Ramp -Dfrom=200 -Dstep=200 -Dlevels=8",
            "  load-tests/run Smoke --url https://gateway.example",
            "  load-tests/run Steady --url http://127.0.0.1:8080 --tokens-file tokens.txt --tokens 500 -Drate=50",
            "  load-tests/run Soak -Dminutes=3",
            "  load-tests/run Tunnel --url http://127.0.0.1:3128 -Ddestination=127.0.0.1:7007",
            "  load-tests/run all",
            "  load-tests/run Floods -Dseconds=30"
        })
public final class Run implements Callable<Integer> {
    /** Runs by name: all simulations, each simulation, and programs with servers of their own. */
    enum Name {
        all,
        Smoke,
        Steady,
        DoubleSpend,
        Ramp,
        Spike,
        Soak,
        WaitingRoom,
        ForgedFlood,
        Http2,
        Tls,
        Tunnel,
        UdpTunnel,
        RedisOutage,
        Floods
    }

    @Parameters(paramLabel = "SIMULATION", description = "${COMPLETION-CANDIDATES}")
    private Name name = Name.Smoke;

    @Option(names = "--tokens", description = "Tokens to spend; without it, each simulation has its own number.")
    private int tokens;

    @Option(names = "--url", paramLabel = "URL", description = "Scheme, host and port of a gateway that runs already.")
    private @Nullable URI url;

    @Option(
            names = "--tokens-file",
            paramLabel = "FILE",
            description =
                    "Unspent tokens, one a line; without it, postern mint answers the challenge of URL. With --url.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--mint",
            paramLabel = "OPTION",
            description =
                    "Option of postern mint, such as --mint=--ca-file=ca.pem; may be given more than once. With --url.")
    private List<String> mintOptions = new ArrayList<>();

    @Option(
            names = "--metrics",
            paramLabel = "URL",
            description = "The gateway's own figures, such as http://127.0.0.1:9180/metrics. With --url.")
    private @Nullable URI metrics;

    @Option(names = "-D", paramLabel = "NAME=VALUE", description = "A parameter of the simulation; it prints them all.")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Run() {}

    public static void main(String... arguments) {
        Bench.exit(new Run(), arguments);
    }

    @Override
    public Integer call() {
        checkOptions();
        try (RunFolder folder = RunFolder.create(name.name())) {
            Table table = switch (name) {
                case all -> new AllRun(folder, properties).run();
                case Floods -> FloodsRun.of(folder, properties).run();
                case RedisOutage -> RedisOutageRun.of(folder, properties).run();
                default ->
                    new Target(url, metrics, tokenFile, mintOptions)
                            .run(folder, Simulation.valueOf(name.name()), new Settings(properties), tokens);
            };
            System.out.println();
            int status = table.print();
            System.out.println("in " + folder.write(ComparedRuns.TABLE, table.toString()));
            return status;
        }
    }

    private void checkOptions() {
        boolean own = url == null;
        if (own && (tokenFile != null || metrics != null || !mintOptions.isEmpty())) {
            throw new ParameterException(
                    spec.commandLine(), "--tokens-file, --mint, --metrics: no --url (expected: with --url)");
        }
        if (!own
                && Arrays.stream(Simulation.values())
                        .noneMatch(known -> known.name().equals(name.name()))) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--url: " + name + " needs servers of its own (expected: one of "
                            + Arrays.toString(Simulation.values()) + ")");
        }
    }
}
