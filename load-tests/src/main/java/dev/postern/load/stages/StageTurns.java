package dev.postern.load.stages;

import dev.postern.auth.verify.SignatureProvider;
import dev.postern.load.measure.CounterScrape;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.ThreadTimes;
import dev.postern.load.measure.TimerScrape;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.Started;
import dev.postern.load.worker.Cost;
import dev.postern.load.worker.Decisions;
import dev.postern.load.worker.LedgerWorker;
import dev.postern.load.worker.RequestWorker;
import dev.postern.load.worker.RoomWorker;
import dev.postern.load.worker.VerifyWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Stage turns: the processes whose CPU time is compared take turns on one core. */
public final class StageTurns implements AutoCloseable {
    /**
     * Requests of each path, over many connections and over one, until its code is compiled; a path without tokens can
     * have more.
     */
    private static final int WARM_UP = 6_000;

    private static final int WARM_UP_WITHOUT_TOKENS = 30_000;
    private static final int MANY = 64;
    private static final String ROOM = "base 1000 ";
    /** Enough for all tokens of two paths. */
    private static final String HEAP = "512m";
    /**
     * Spends of the ledger alone, which need no tokens: enough for the clock's ticks, one at a time or many at once.
     */
    private static final int LONE_SPENDS = 20_000;

    private static final int SPENDS = 100_000;

    private final Started started = new Started();
    private final StageSite site;
    private final Worker remote;
    private final Worker embedded;
    private final Worker verify;
    private final Worker ledger;
    private final Worker room;
    private final String seconds;
    /** Decisions in one call to Redis by number of connections, from the last turn over the waiting room. */
    private final Map<Integer, Integer> together = new HashMap<>();

    /**
     * Starts and warms up all processes.
     *
     * @param requests to each path, in all turns together
     * @param length of a turn of a stage alone
     */
    public StageTurns(RunFolder folder, int requests, Duration length, Duration warmUp) {
        seconds = String.valueOf(Math.max(1, length.toSeconds()));
        try {
            site = started.add(StageSite.start(folder, warmUp));
            String body = String.valueOf(StageSite.BODY);
            int tokens = requests + 2 * WARM_UP;
            remote = start(
                    Cores.LOAD,
                    RequestWorker.class,
                    String.valueOf(site.remote().port()),
                    body,
                    "0",
                    tokens(site.remote(), StageSite.TOKEN, tokens),
                    tokens(site.remote(), StageSite.ROOM, tokens));
            embedded = start(
                    Cores.LOAD,
                    RequestWorker.class,
                    String.valueOf(site.embedded().port()),
                    body,
                    "0",
                    tokens(site.embedded(), StageSite.TOKEN, tokens));
            verify = start(
                    Cores.MEASURED,
                    VerifyWorker.class,
                    SignatureProvider.choose().description().name());
            ledger = start(
                    Cores.MEASURED,
                    LedgerWorker.class,
                    "memcached",
                    String.valueOf(site.memcachedPort()),
                    StageSite.CLIENT.toUpperCase(Locale.ROOT));
            room = start(Cores.MEASURED, RoomWorker.class, String.valueOf(site.redisPort()));
            room.ask(ROOM + "fill");
            warmUp(warmUp);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private Worker start(Cores cores, Class<?> main, String... arguments) {
        Worker worker = Worker.start(site.folder(), cores, HEAP, main, arguments);
        started.add(worker);
        return worker;
    }

    private String tokens(StageSite.Gateway gateway, String path, int count) {
        Path file = site.mint(gateway, path, count);
        return path + "=" + file;
    }

    private void warmUp(Duration length) {
        for (int connections : new int[] {MANY, 1}) {
            Progress.say("warming up, connections: " + connections);
            // This path shares the waiting room of the path with tokens.
            remote.ask(StageSite.LOBBY + " " + connections + " " + WARM_UP_WITHOUT_TOKENS);
            take(Step.OPEN, connections, WARM_UP_WITHOUT_TOKENS);
            take(Step.EMBEDDED_OPEN, connections, WARM_UP_WITHOUT_TOKENS);
            take(Step.TOKEN, connections, WARM_UP);
            take(Step.ROOM, connections, WARM_UP);
            take(Step.EMBEDDED_TOKEN, connections, WARM_UP);
            verify.ask(String.valueOf(length.toSeconds()));
            take(Step.SPEND, connections, 0);
            room.ask(ROOM + length.toSeconds() + " " + together(connections));
        }
    }

    /**
     * Returns microseconds of CPU time for each operation of a step, without the time of the compilers: they work for
     * longer than the tokens last, and their time would count for the stage that they compile at that moment.
     *
     * @param connections of requests; a stage alone has {@link #together} operations under way
     * @param requests for steps that use a gateway
     */
    public double take(Step step, int connections, int requests) {
        return switch (step) {
            case OPEN -> ask(site.remote(), remote, StageSite.OPEN, connections, requests);
            case TOKEN -> ask(site.remote(), remote, StageSite.TOKEN, connections, requests);
            case ROOM -> askRoom(connections, requests);
            case EMBEDDED_OPEN -> ask(site.embedded(), embedded, StageSite.OPEN, connections, requests);
            case EMBEDDED_TOKEN -> ask(site.embedded(), embedded, StageSite.TOKEN, connections, requests);
            case VERIFY -> verify.cpuMicros(seconds, Cost::parse);
            case SPEND ->
                ledger.cpuMicros((connections == 1 ? LONE_SPENDS : SPENDS) + " " + together(connections), Cost::parse);
            case DECIDE ->
                room.cpuMicros(
                        ROOM + seconds + " " + together(connections),
                        response -> Decisions.parse(response).cost());
        };
    }

    /**
     * Returns how many decisions the gateway requests from Redis in one call over so many connections, rounded. The
     * gateway sends the same number of spends at once, since requests that are decided together continue together.
     */
    public int together(int connections) {
        return together.getOrDefault(connections, connections);
    }

    private double askRoom(int connections, int requests) {
        double callsBefore = calls();
        double micros = ask(site.remote(), remote, StageSite.ROOM, connections, requests);
        together.put(connections, (int) Math.max(1, Math.round(requests / (calls() - callsBefore))));
        return micros;
    }

    private double calls() {
        return CounterScrape.read(site.remote().adminPort(), "postern_room_call_seconds_count", "result=\"answered\"");
    }

    /** Takes a turn; a turn in which the stages did not do what the path demands is an error. */
    private double ask(StageSite.Gateway gateway, Worker clients, String path, int connections, int requests) {
        double spends = spends(gateway);
        double decisions = decisions(gateway);
        ThreadTimes timesBefore = ThreadTimes.of(gateway.process().pid());
        clients.ask(path + " " + connections + " " + requests);
        Duration used =
                ThreadTimes.of(gateway.process().pid()).minus(timesBefore).work();
        expect("spends", spends(gateway) - spends, path.equals(StageSite.OPEN) ? 0 : requests);
        expect("decisions of the room", decisions(gateway) - decisions, path.equals(StageSite.ROOM) ? requests : 0);
        return used.toNanos() / 1e3 / requests;
    }

    private static double spends(StageSite.Gateway gateway) {
        return TimerScrape.read(gateway.adminPort(), "postern_spend_seconds").count();
    }

    private static double decisions(StageSite.Gateway gateway) {
        return CounterScrape.read(gateway.adminPort(), "postern_room_decisions_total", "decision=\"base\"");
    }

    private static void expect(String subject, double found, double expected) {
        if (found != expected) {
            throw new IllegalStateException(subject + ": %,.0f (expected: %,.0f)".formatted(found, expected));
        }
    }

    @Override
    public void close() {
        started.close();
    }
}
