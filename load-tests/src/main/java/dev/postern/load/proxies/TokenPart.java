package dev.postern.load.proxies;

import dev.postern.auth.verify.SignatureProvider;
import dev.postern.load.jmh.Spends;
import dev.postern.load.jmh.TokenChecks;
import dev.postern.load.measure.Cost;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.ThreadTimes;
import dev.postern.load.peer.Peer;
import dev.postern.load.peer.TlsPeers;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.server.TokenSite;
import dev.postern.load.worker.RequestWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Token part: an exchange of HTTP/2 over TLS whose token is verified and spent in memcached, beside the exchange of
 * nginx without token, a signature check, and a spend. No figure includes the time of the JIT compilers.
 */
record TokenPart(TlsPeers peers) implements Part {
    /** Client of memcached, in the gateway and alone. */
    private static final String CLIENT = "spymemcached";

    private static final String CHECK = "signature check";
    private static final String SPEND = "bare spend";
    private static final String NGINX = "nginx";
    private static final List<String> BARE = List.of(NGINX, CHECK, SPEND);
    private static final Goal GOAL = Goal.atMost(1.25);

    private static final int CONNECTIONS = 4;
    private static final int STREAMS = 32;
    /** Tokens for each second of a turn; minting takes most of the time of the part. */
    private static final int PER_SECOND = 1_000;
    /** Tokens of the gateway's warm-up, which follow on requests without tokens. */
    private static final int WARM_UP = 20_000;

    private static final int OPEN_PER_SECOND = 10_000;
    /** Enough for all tokens. */
    private static final String HEAP = "512m";

    /** Contender whose turn is measured by its own means. */
    private record Measured(
            String name, Consumer<Duration> load, ToDoubleFunction<Duration> micros, Runnable awaitsQuiet)
            implements Contender {
        @Override
        public void warmUp(Duration length) {
            Progress.say("warming up " + name);
            load.accept(length);
        }

        @Override
        public Turn turn(Duration length) {
            double cost = micros.applyAsDouble(length);
            return new Turn(cost, 1e6 / cost, cost);
        }

        @Override
        public void awaitQuiet() {
            awaitsQuiet.run();
        }
    }

    @Override
    public String name() {
        return "token";
    }

    @Override
    public String title() {
        return "128 B over HTTP/2 and TLS, %d connections, %d streams each, a token on every request, client of memcached: %s"
                .formatted(CONNECTIONS, STREAMS, CLIENT);
    }

    @Override
    public void measure(Pace pace, Table table) {
        try (RunFolder folder = RunFolder.create("proxies-" + name())) {
            TokenSite site = TokenSite.startPatient(folder, CLIENT);
            Peer nginx = peers.start(NGINX, folder, site.origin().port());
            int turns = pace.rounds() + Alternation.maxVoid(pace.rounds());
            Path tokens = site.mint(WARM_UP + turns * requests(pace.turn()));
            String provider = SignatureProvider.choose().description().name();
            int ledger = site.memcached().port();
            String store = CLIENT.toUpperCase(Locale.ROOT);
            List<Measured> contenders = List.of(
                    gateway(site, clients(folder, site.tlsPort(), "/", tokens)),
                    proxy(nginx, clients(folder, nginx.port())),
                    alone(CHECK, length -> TokenChecks.cost(folder, provider, length, length)),
                    alone(SPEND, length -> Spends.ledger(folder, ledger, store, CONNECTIONS * STREAMS)));
            contenders.forEach(contender -> contender.warmUp(pace.warmUp()));
            Alternation alternation = new Alternation(name(), pace);
            alternation.take(contenders);
            addTo(table, alternation.rounds());
        }
    }

    private static Worker clients(RunFolder folder, int port, Object... redeemed) {
        List<Object> arguments = new ArrayList<>(List.of(port, CONNECTIONS, STREAMS));
        arguments.addAll(List.of(redeemed));
        return Worker.start(folder, Cores.LOAD, HEAP, RequestWorker.class, arguments.toArray());
    }

    private static Measured gateway(TokenSite site, Worker clients) {
        ServerProcess process = site.gateway();
        return new Measured(
                Peer.POSTERN,
                length -> {
                    ask(clients, "/open", Math.toIntExact(OPEN_PER_SECOND * length.toSeconds()));
                    ask(clients, "/", WARM_UP);
                },
                length -> cost(process, clients, "/", requests(length)),
                process::awaitQuiet);
    }

    private static Measured proxy(Peer nginx, Worker clients) {
        ServerProcess process = nginx.process();
        return new Measured(
                NGINX,
                length -> ask(clients, "/", Math.toIntExact(OPEN_PER_SECOND * length.toSeconds())),
                length -> cost(process, clients, "/", requests(length)),
                process::awaitQuiet);
    }

    /** Returns a contender that runs in a JVM of its own in each turn, which warms up by itself. */
    private static Measured alone(String name, Function<Duration, Cost> cost) {
        return new Measured(name, length -> {}, length -> cost.apply(length).cpuMicros(), () -> {});
    }

    private static void ask(Worker clients, String path, int requests) {
        clients.ask(path + " " + requests);
    }

    /** Returns the exact CPU time of each request by the scheduler, since a turn is too short for the clock's ticks. */
    private static double cost(ServerProcess server, Worker clients, String path, int requests) {
        ThreadTimes timesBefore = ThreadTimes.of(server.pid());
        ask(clients, path, requests);
        Duration used = ThreadTimes.of(server.pid()).minus(timesBefore).work();
        return used.toNanos() / 1e3 / requests;
    }

    private static int requests(Duration turn) {
        return Math.toIntExact(PER_SECOND * Math.max(1, turn.toSeconds()));
    }

    private static void addTo(Table table, Rounds rounds) {
        table.note("postern with a token, CPU us per request", rounds.of(Peer.POSTERN, Turn::cpuMicros));
        table.note("nginx without token, CPU us per request", rounds.of(NGINX, Turn::cpuMicros));
        table.note("signature check, CPU us", rounds.of(CHECK, Turn::cpuMicros));
        table.note("spend, 128 at once, CPU us", rounds.of(SPEND, Turn::cpuMicros));
        table.goal(
                "CPU, postern with a token / nginx, check and spend (paired)",
                rounds.overSum(Peer.POSTERN, BARE, Turn::cpuMicros),
                GOAL);
    }
}
