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
import java.util.function.Function;

/** Everybody whose CPU time is compared, all on one core and asked in turn. */
public final class StageTurns implements AutoCloseable {
    /** Of each path, over many connections and over one, until its code is compiled; what needs no token can be asked more often. */
    private static final int WARM_UP = 6_000;

    private static final int WARM_UP_WITHOUT_TOKENS = 30_000;
    private static final int MANY = 64;
    private static final String ROOM = "base 1000 ";
    /** For all tokens of two paths. */
    private static final String HEAP = "512m";
    /** Spends by themselves, which take no tokens: enough for the clock's ticks, whether they wait for each other or not. */
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
    /** By connections, how many decisions a call to Redis held when the room was last asked over so many. */
    private final Map<Integer, Integer> together = new HashMap<>();

    /**
     * Starts and warms up all of them.
     *
     * @param requests that each path will be asked for, in all turns together
     * @param length of a turn of those who work by themselves
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
                    tokens(site.remote(), StageSite.TOKEN, tokens),
                    tokens(site.remote(), StageSite.ROOM, tokens));
            embedded = start(
                    Cores.LOAD,
                    RequestWorker.class,
                    String.valueOf(site.embedded().port()),
                    body,
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
            // Its room is that of the path with tokens.
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
     * Returns microseconds of CPU time for each operation of a step, without what compilers took: they are at work for longer than there are tokens, and would
     * count for whichever stage they compile.
     *
     * @param connections of requests; what works by itself has {@link #together} under way
     * @param requests for steps that ask a gateway
     */
    public double take(Step step, int connections, int requests) {
        return switch (step) {
            case OPEN -> ask(site.remote(), remote, StageSite.OPEN, connections, requests);
            case TOKEN -> ask(site.remote(), remote, StageSite.TOKEN, connections, requests);
            case ROOM -> askRoom(connections, requests);
            case EMBEDDED_OPEN -> ask(site.embedded(), embedded, StageSite.OPEN, connections, requests);
            case EMBEDDED_TOKEN -> ask(site.embedded(), embedded, StageSite.TOKEN, connections, requests);
            case VERIFY -> alone(verify, seconds, Cost::parse);
            case SPEND ->
                alone(ledger, (connections == 1 ? LONE_SPENDS : SPENDS) + " " + together(connections), Cost::parse);
            case DECIDE ->
                alone(
                        room,
                        ROOM + seconds + " " + together(connections),
                        response -> Decisions.parse(response).cost());
        };
    }

    /** What each operation took but for the compilers, who are left out of what a gateway takes, too. */
    private static double alone(Worker worker, String question, Function<String, Cost> cost) {
        ThreadTimes before = ThreadTimes.of(worker.pid());
        String response = worker.ask(question);
        return cost.apply(response).cpuMicros()
                * ThreadTimes.of(worker.pid()).minus(before).workShare();
    }

    /**
     * How many decisions the gateway asks Redis for in one call over so many connections, rounded; and so how many spends it sends at once, since
     * what is decided together goes on together.
     */
    public int together(int connections) {
        return together.getOrDefault(connections, connections);
    }

    private double askRoom(int connections, int requests) {
        double before = calls();
        double micros = ask(site.remote(), remote, StageSite.ROOM, connections, requests);
        together.put(connections, (int) Math.max(1, Math.round(requests / (calls() - before))));
        return micros;
    }

    private double calls() {
        return CounterScrape.read(site.remote().adminPort(), "postern_room_call_seconds_count", "result=\"answered\"");
    }

    /** A turn in which the stages did not do what the path says is none. */
    private double ask(StageSite.Gateway gateway, Worker clients, String path, int connections, int requests) {
        double spends = spends(gateway);
        double decisions = decisions(gateway);
        ThreadTimes before = ThreadTimes.of(gateway.process().pid());
        clients.ask(path + " " + connections + " " + requests);
        Duration used = ThreadTimes.of(gateway.process().pid()).minus(before).work();
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
