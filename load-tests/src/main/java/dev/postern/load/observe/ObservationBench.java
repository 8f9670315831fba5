package dev.postern.load.observe;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.ThreadTimes;
import dev.postern.load.measure.Wrk;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.server.Started;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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

/** Measures the cost of measuring and recording every exchange. */
@Command(
        name = "observation",
        description =
                "Meters, stage times, capsules and log: nanoseconds for an exchange (JMH), and as a share of CPU per request.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
public final class ObservationBench implements Callable<Integer> {
    private static final int BODY = 128;

    /** Benchmarks of {@link ObservedExchange} other than {@code everything}, in the order of the table. */
    private static final List<String> PARTS =
            List.of("stageTimes", "deadlines", "spendParts", "checks", "counters", "logs", "everyLine");

    /** Small enough for four gateways at once and the harness. */
    private static final String HEAP = "-Xmx512m ";

    private static final String YAML = """
            transport: {event-loops: 1, congestion-control: system}
            listeners: [{name: web, address: "127.0.0.1:%d", congestion-control: system}]
            admin: {address: "127.0.0.1:%d"}
            log: {level: error, successes: %s}
            upstreams: [{name: app, congestion-control: system, endpoints: ["127.0.0.1:%d"]}]
            routes: [{upstream: app, token: off}]
            """;

    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds = 20;

    @Option(names = "--seconds", description = "Length of each gateway's turn.")
    int seconds = 3;

    @Option(names = "--warm-up", description = "Seconds of load on each gateway before the first round.")
    int warmUp = 20;

    @Option(names = "--connections", description = "Connections of the driver.")
    int connections = 64;

    @Option(names = "--forks", description = "JVMs that each part is measured in.")
    int forks = 5;

    @Option(names = "--goal-us", description = "Microseconds for all that is measured and noted of an exchange.")
    double goalMicros = 0.5;

    @Option(names = "--goal", description = "CPU per request, as a multiple of a gateway's that notes nothing.")
    double goal = 1.04;

    /** Kind of a gateway that takes turns. */
    private enum Kind {
        NOTHING("nothing is measured", "0%"),
        DEFAULTS("defaults", "1%"),
        AGAIN("defaults, again", "1%"),
        EVERY_LINE("log.successes: 100%", "100%");

        private final String label;
        private final String successes;

        Kind(String label, String successes) {
            this.label = label;
            this.successes = successes;
        }
    }

    /**
     * A running gateway.
     *
     * @param micros CPU time for a request, in each round
     */
    private record Gateway(Kind kind, ServerProcess process, int port, List<Double> micros) {

        Spread cpu() {
            return Spread.of(micros);
        }

        /** Returns the ratio to the other gateway, paired round by round. */
        Spread ratioTo(Gateway other) {
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < micros.size(); i++) {
                ratios.add(micros.get(i) / other.micros.get(i));
            }
            return Spread.of(ratios);
        }
    }

    @Override
    public Integer call() throws RunnerException {
        RunFolder folder = RunFolder.create("observation");
        Progress.say("configurations and logs: " + folder + "; leak detection is off");
        Blindfold blindfold = new Blindfold(folder.folder("blindfold"));
        Table table = new Table();
        inside(table);
        try (Started started = new Started()) {
            whole(table, gateways(folder, blindfold, started));
        }
        System.out.println(table);
        return table.status();
    }

    private void inside(Table table) throws RunnerException {
        Progress.say("measuring inside, %d JVMs for each part".formatted(forks));
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
        table.goal(
                "inside: everything, us for an exchange",
                Spread.of(micros(results, "everything")),
                Goal.atMost(goalMicros));
        for (String part : PARTS) {
            table.note("inside: " + part + ", us", Spread.of(micros(results, part)));
        }
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

    private static List<Gateway> gateways(RunFolder folder, Blindfold blindfold, Started started) {
        Nginx origin = started.add(Nginx.origin(folder, "origin", Cores.LOAD, BODY, false));
        List<Gateway> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            int port = Ports.free();
            int admin = Ports.free();
            String flags = HEAP + (kind == Kind.NOTHING ? blindfold.flagsWithout() : blindfold.flagsWith());
            ServerProcess process = Postern.gateway(
                    folder,
                    kind.name(),
                    Cores.MEASURED,
                    YAML.formatted(port, admin, kind.successes, origin.port()),
                    admin,
                    Map.of("POSTERN_JAVA_OPTS", flags));
            started.add(process);
            all.add(new Gateway(kind, process, port, new ArrayList<>()));
        }
        return all;
    }

    private void whole(Table table, List<Gateway> gateways) {
        for (Gateway gateway : gateways) {
            Progress.say("warming up: " + gateway.kind.label);
            Wrk.warmUp(uri(gateway), connections, Duration.ofSeconds(warmUp));
        }
        List<Gateway> order = new ArrayList<>(gateways);
        for (int round = 1; round <= rounds; round++) {
            for (Gateway gateway : order) {
                double micros = turn(gateway);
                gateway.micros.add(micros);
                Progress.say("round %d of %d: %-20s %6.2f us CPU".formatted(round, rounds, gateway.kind.label, micros));
            }
            // Each gateway goes first equally often, so that no gateway always follows the same other gateway.
            Collections.rotate(order, 1);
        }
        gateways.forEach(gateway -> table.note(gateway.kind.label + ": CPU us per request", gateway.cpu()));
        Gateway defaults = gateways.get(Kind.DEFAULTS.ordinal());
        table.goal(
                        "CPU per request, defaults / nothing is measured (paired)",
                        defaults.ratioTo(gateways.get(Kind.NOTHING.ordinal())),
                        Goal.atMost(goal))
                .note(
                        "the same gateway twice (paired), a control",
                        gateways.get(Kind.AGAIN.ordinal()).ratioTo(defaults))
                .note(
                        "CPU per request, log.successes: 100% / 1% (paired)",
                        gateways.get(Kind.EVERY_LINE.ordinal()).ratioTo(defaults));
    }

    private double turn(Gateway gateway) {
        long pid = gateway.process.pid();
        ThreadTimes timesBefore = ThreadTimes.of(pid);
        Wrk load = Wrk.run(uri(gateway), connections, Duration.ofSeconds(seconds));
        Duration used = ThreadTimes.of(pid).minus(timesBefore).work();
        return used.toNanos() / 1e3 / load.requests();
    }

    private static URI uri(Gateway gateway) {
        return URI.create("http://127.0.0.1:" + gateway.port + "/");
    }
}
