package dev.postern.load.bench;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.LoadRun;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.Wrk;
import dev.postern.load.server.Cores;
import dev.postern.load.server.ForgedTokens;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.server.TokenSite;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.RedeemWorker;
import dev.postern.load.worker.Worker;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures what a flood of forged tokens costs: the price of each refusal, and the latency of honest clients meanwhile.
 */
@Command(
        name = "refuse",
        description =
                "CPU time per forged token that is refused, beside a request without token and nginx's return 401;"
                        + " honest clients' latency meanwhile.")
final class RefuseBench implements Callable<Integer> {
    private static final int FORGED = 10_000;
    /** Forged token, as a multiple of a request without token, and of nginx's return 401. */
    private static final Goal CPU = Goal.atMost(1.2);
    /** Honest p99 at half of all refusals, as a multiple of the idle one. */
    private static final Goal P99 = Goal.atMost(3);

    /** Connections of the forgers: more than may wait for spare time, so that there is none. */
    private static final int CONNECTIONS = 1024;
    /** Honest redemptions per second. */
    private static final int RATE = 200;

    @Mixin
    RoundOptions options = new RoundOptions(10, 3);

    @Option(names = "--seconds", description = "Length of each turn.")
    int seconds = 3;

    /** A server that refuses, and the clients that it refuses. */
    private record Pair(ServerProcess server, Forgers forgers) {}

    private record Parties(Pair nginx, Pair tokenless, Pair forged, Worker honest) {}

    private record Refusals(double cpuMicros, double perSecond) {}

    /**
     * One round.
     *
     * @param busy latencies of honest clients while the gateway gives {@code half} refusals per second
     * @param elsewhere the same while nginx gives these refusals: the part of the latency that the shared cores cause
     */
    private record Round(
            Refusals nginx,
            Refusals tokenless,
            Refusals forged,
            Latencies idle,
            Latencies busy,
            double half,
            Latencies elsewhere) {}

    @Override
    public Integer call() {
        try (RunFolder folder = RunFolder.create("refuse")) {
            TokenSite site = TokenSite.startPinned(folder, "netty");
            Nginx nginx = Nginx.refusing(folder, "nginx", Cores.MEASURED);
            Path tokens = site.mint((options.warmUp + options.rounds) * 3 * calls());
            Path forged = ForgedTokens.write(folder, tokens, FORGED);
            URI ours = URI.create(site.url() + "/");
            URI other = URI.create("http://127.0.0.1:" + nginx.port() + "/");
            return measure(new Parties(
                            new Pair(nginx.process(), new Forgers(folder, other, CONNECTIONS, null)),
                            new Pair(site.gateway(), new Forgers(folder, ours, CONNECTIONS, null)),
                            new Pair(site.gateway(), new Forgers(folder, ours, CONNECTIONS, forged)),
                            Worker.start(folder, Cores.LOAD, RedeemWorker.class, site.port(), tokens)))
                    .print();
        }
    }

    private Table measure(Parties parties) {
        return table(options.take(
                () -> round(parties),
                round ->
                        "nginx %.2f us, tokenless %.2f us, forged %.2f us, honest p99 %,.0f us idle, %,.0f us at %,.0f/s"
                                .formatted(
                                        round.nginx.cpuMicros,
                                        round.tokenless.cpuMicros,
                                        round.forged.cpuMicros,
                                        round.idle.sentP99(),
                                        round.busy.sentP99(),
                                        round.half)));
    }

    private Round round(Parties parties) {
        Refusals nginx = refusals(parties.nginx);
        Refusals tokenless = refusals(parties.tokenless);
        Refusals forged = refusals(parties.forged);
        Latencies idle = honest(parties);
        CompletableFuture<LoadRun> flood = pace(parties.forged, forged.perSecond / 2);
        Latencies busy = honest(parties);
        double half = flood.join().perSecond();
        CompletableFuture<LoadRun> other = pace(parties.nginx, forged.perSecond / 2);
        Latencies elsewhere = honest(parties);
        other.join();
        return new Round(nginx, tokenless, forged, idle, busy, half, elsewhere);
    }

    private Latencies honest(Parties parties) {
        return parties.honest.ask("token " + RATE + " " + calls(), Latencies.class);
    }

    /** Lasts a second longer than the calls of the honest clients, so that the load covers all of these calls. */
    private CompletableFuture<LoadRun> pace(Pair pair, double perSecond) {
        return CompletableFuture.supplyAsync(() -> pair.forgers.pace(Duration.ofSeconds(seconds + 1), perSecond));
    }

    private Refusals refusals(Pair pair) {
        Duration cpuBefore = pair.server.cpu();
        LoadRun load = pair.forgers.flood(Duration.ofSeconds(seconds));
        Duration used = pair.server.cpu().minus(cpuBefore);
        return new Refusals(used.toNanos() / 1e3 / load.requests(), load.perSecond());
    }

    private int calls() {
        return RATE * seconds;
    }

    private static Table table(List<Round> measured) {
        Table table = new Table();
        table.of(measured)
                .note("nginx return 401: CPU us each", round -> round.nginx.cpuMicros)
                .note("no token: CPU us each", round -> round.tokenless.cpuMicros)
                .note("forged token: CPU us each", round -> round.forged.cpuMicros)
                .note("nginx return 401: per second", round -> round.nginx.perSecond)
                .note("no token: per second", round -> round.tokenless.perSecond)
                .note("forged token: per second", round -> round.forged.perSecond)
                .goal(
                        "CPU, forged token / no token (paired)",
                        round -> round.forged.cpuMicros / round.tokenless.cpuMicros,
                        CPU)
                .goal(
                        "CPU, forged token / nginx return 401 (paired)",
                        round -> round.forged.cpuMicros / round.nginx.cpuMicros,
                        CPU)
                .note("half flood / all refusals that can be given", round -> round.half / round.forged.perSecond)
                .note("honest p99 us, idle", round -> round.idle.sentP99())
                .note("honest p99 us, in the half flood", round -> round.busy.sentP99())
                .note("honest p99 us, nginx in the same flood instead", round -> round.elsewhere.sentP99())
                .goal(
                        "honest p99, half flood / idle (paired)",
                        round -> round.busy.sentP99() / round.idle.sentP99(),
                        P99)
                .goal(
                        "honest redemptions refused or failed, percent",
                        round -> 100.0
                                * (round.idle.failed() + round.busy.failed())
                                / (round.idle.calls() + round.busy.calls()),
                        Goal.atMost(0.1));
        return table;
    }

    /** Connections, driven by wrk, whose requests are all refused: they send the tokens of a file in turn, or no token. */
    private static final class Forgers {
        private static final String WITHOUT = """
            function init()
              request_bytes = { wrk.format() }
            end
            """;
        private static final String WITH = """
            function init()
              request_bytes = {}
              for token in io.lines("%s") do
                table.insert(request_bytes, wrk.format("GET", nil, { ["Authorization"] = "PrivateToken token=\\"" .. token .. "\\"" }))
              end
            end
            """;
        private static final String BY_TURNS = """
            at = 0
            function request()
              at = at %% #request_bytes + 1
              return request_bytes[at]
            end
            function delay()
              return math.random(0, %d)
            end
            """;

        private final RunFolder folder;
        private final URI uri;
        private final int connections;
        private final String requests;

        /**
         * Upper bound of the random pause after each response, in milliseconds; a fixed pause would make the requests
         * arrive in bursts.
         */
        private double pause = 100;

        /** @param tokens one a line; null for requests without token */
        Forgers(RunFolder folder, URI uri, int connections, @Nullable Path tokens) {
            this.folder = folder;
            this.uri = uri;
            this.connections = connections;
            this.requests = tokens == null ? WITHOUT : WITH.formatted(tokens);
        }

        /** Sends requests as fast as the gateway refuses them. */
        LoadRun flood(Duration duration) {
            return run(duration, 0);
        }

        /**
         * Sends about the given number of requests per second; each call corrects the pause by the rate that the previous
         * call measured.
         */
        LoadRun pace(Duration duration, double perSecond) {
            LoadRun run = run(duration, Math.max(1, Math.round(pause)));
            pause *= run.perSecond() / perSecond;
            return run;
        }

        private LoadRun run(Duration duration, long pauseMillis) {
            Path script = folder.write("forgers.lua", requests + BY_TURNS.formatted(pauseMillis));
            return Wrk.runRefused(uri, connections, duration, script);
        }
    }
}
