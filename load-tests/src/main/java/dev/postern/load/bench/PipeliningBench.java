package dev.postern.load.bench;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.server.SlowOrigin;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures pipelined GETs to a slow upstream: whether the gateway forwards them concurrently and keeps the order of the
 * responses.
 */
@Command(
        name = "pipelining",
        description =
                "Time until the last of several pipelined GETs to a slow upstream has its response, beside nginx.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
final class PipeliningBench implements Callable<Integer> {

    private static final String YAML = """
            listeners: [{name: web, address: "127.0.0.1:%d", congestion-control: system}]
            admin: {address: "127.0.0.1:%d"}
            transport: {congestion-control: system}
            log: {successes: 0%%}
            upstreams: [{name: app, congestion-control: system, endpoints: ["127.0.0.1:%d"]}]
            routes: [{upstream: app, token: off}]
            """;

    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds = 10;

    @Option(names = "--requests", description = "GETs at once.")
    int requests = 8;

    @Option(names = "--delay", description = "Milliseconds that the upstream takes for each.")
    int delay = 300;

    @Option(names = "--goal", description = "Seconds until the last response.")
    double goal = 0.35;

    @Override
    public Integer call() throws IOException {
        RunFolder folder = RunFolder.create("pipelining");
        int port = Ports.free();
        int admin = Ports.free();
        try (SlowOrigin origin = SlowOrigin.start(Duration.ofMillis(delay));
                Nginx nginx = Nginx.proxy(folder, "nginx", Cores.ANY, origin.port());
                ServerProcess gateway = Postern.gateway(
                        folder, "gateway", Cores.ANY, YAML.formatted(port, admin, origin.port()), admin)) {
            Progress.say("gateway is process %d".formatted(gateway.pid()));
            Table table = measure(port, nginx.port());
            System.out.println(table);
            return table.status();
        }
    }

    private Table measure(int ours, int theirs) throws IOException {
        PipelinedGets gets = new PipelinedGets(requests);
        List<PipelinedGets.Result> gateway = new ArrayList<>();
        List<PipelinedGets.Result> nginx = new ArrayList<>();
        gets.send(ours); // connections and code are warm in what counts
        gets.send(theirs);
        for (int round = 1; round <= rounds; round++) {
            gateway.add(gets.send(ours));
            nginx.add(gets.send(theirs));
            Progress.say("round %d of %d: gateway %.3f s, nginx %.3f s"
                    .formatted(
                            round,
                            rounds,
                            gateway.get(round - 1).seconds(),
                            nginx.get(round - 1).seconds()));
        }
        String which = "%d GETs of %d ms, pipelined: ".formatted(requests, delay);
        return new Table()
                .goal(which + "gateway, s", seconds(gateway), Goal.atMost(goal))
                .note(which + "nginx, s", seconds(nginx))
                .verdict("gateway: rounds in the order of the requests", ordered(gateway), "all", allOrdered(gateway))
                .note("nginx: rounds in the order of the requests", ordered(nginx));
    }

    private static Spread seconds(List<PipelinedGets.Result> results) {
        return Spread.of(
                results.stream().mapToDouble(PipelinedGets.Result::seconds).toArray());
    }

    private static boolean allOrdered(List<PipelinedGets.Result> results) {
        return results.stream().allMatch(PipelinedGets.Result::inOrder);
    }

    private static String ordered(List<PipelinedGets.Result> results) {
        return results.stream().filter(PipelinedGets.Result::inOrder).count() + " of " + results.size();
    }
}
