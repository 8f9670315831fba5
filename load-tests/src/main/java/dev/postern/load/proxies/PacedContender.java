package dev.postern.load.proxies;

import dev.postern.load.measure.Progress;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Launcher;
import dev.postern.load.server.QueueSite;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.server.Started;
import dev.postern.load.server.TokenSite;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.RedeemWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Paced contender: a gateway with the servers that it needs, under requests of a worker at a fixed rate. */
final class PacedContender implements Contender, AutoCloseable {
    private static final int RATE = 1_000;
    private static final int SESSIONS = 64;
    private static final double MAX_FAILED = 0.001;

    private final String name;
    private final Started started;
    private final ServerProcess gateway;
    private final Worker clients;
    private final List<String> warmUps;
    private final String load;

    /**
     * @param warmUps prefixes of the loads before the first turn that counts
     * @param load prefix of the load of a turn; rate and number of calls follow
     */
    private PacedContender(
            String name, Started started, ServerProcess gateway, Worker clients, List<String> warmUps, String load) {
        this.name = name;
        this.started = started;
        this.gateway = gateway;
        this.clients = clients;
        this.warmUps = warmUps;
        this.load = load;
    }

    /**
     * Starts a site that redeems a new token, minted before, with each request.
     *
     * @param pace of all turns of this start
     */
    static PacedContender redeeming(String name, Launcher launcher, Pace pace) {
        RunFolder folder = RunFolder.create("old-new-spend-" + name);
        Started started = new Started();
        try {
            TokenSite site = started.add(TokenSite.startPinned(folder, "spymemcached", launcher));
            int turns = pace.rounds() + Alternation.maxVoid(pace.rounds()) + 1;
            Path tokens = site.mint(calls(pace.warmUp()) + turns * calls(pace.turn()));
            Worker clients = started.add(Worker.start(
                    folder, Cores.LOAD, RedeemWorker.class, String.valueOf(site.port()), tokens.toString()));
            return new PacedContender(name, started, site.gateway(), clients, List.of("open ", "token "), "token ");
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /** Starts a site with a fair queue in Redis, and admits the sessions that send all requests. */
    static PacedContender queueing(String name, Launcher launcher) {
        RunFolder folder = RunFolder.create("old-new-room-" + name);
        Started started = new Started();
        try {
            QueueSite site = started.add(new QueueSite(folder, launcher, SESSIONS, 1));
            Worker clients = site.sessions();
            Progress.say(name + ": " + clients.ask("admit"));
            return new PacedContender(name, started, site.gateway(), clients, List.of("", ""), "");
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void warmUp(Duration length) {
        Progress.say("warming up " + name + ", " + warmUps.size() * length.toSeconds() + " s");
        warmUps.forEach(kind -> clients.ask(kind + RATE + " " + calls(length)));
    }

    @Override
    public Turn turn(Duration length) {
        int calls = calls(length);
        Duration cpuBefore = gateway.cpu();
        Latencies latencies = Latencies.parse(clients.ask(load + RATE + " " + calls));
        Duration used = gateway.cpu().minus(cpuBefore);
        if (latencies.failed() > calls * MAX_FAILED) {
            throw new IllegalStateException(
                    name + ": " + latencies.failed() + " of " + calls + " requests failed (expected: hardly any)");
        }
        return new Turn(used.toNanos() / 1e3 / calls, (double) calls / length.toSeconds(), latencies.dueP50());
    }

    @Override
    public void awaitQuiet() {
        gateway.awaitQuiet();
    }

    private static int calls(Duration length) {
        return Math.toIntExact(RATE * length.toSeconds());
    }

    @Override
    public void close() {
        started.close();
    }
}
