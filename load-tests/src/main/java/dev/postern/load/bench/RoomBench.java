package dev.postern.load.bench;

import dev.postern.load.bench.RoomSeries.Kind;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.StoreMemory;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Redis;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Decisions;
import dev.postern.load.worker.EmptyScriptWorker;
import dev.postern.load.worker.MemoryWorker;
import dev.postern.load.worker.RoomWorker;
import dev.postern.load.worker.Worker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the cost of a decision of a waiting room, in Redis and in memory and at several queue lengths, beside an
 * empty script and updates of a bare map.
 */
@Command(
        name = "room",
        description = "Decisions per second and CPU time of the fair queue, in Redis over one connection and in memory,"
                + " beside an empty script and a bare map; memory of waiting sessions.")
final class RoomBench implements Callable<Integer> {
    /** How many wait, the shortest line first. */
    private static final List<Integer> LINES = List.of(10_000, 100_000, 1_000_000);
    /** Number of admitted sessions in the turns that measure them. */
    private static final int ADMITTED = 1_000;

    @Mixin
    RoundOptions options = new RoundOptions(20, 2);

    @Option(names = "--seconds", description = "Length of each turn.")
    double seconds = 1;

    /** The workers that take turns, and the Redis that most of them use. */
    private record Parties(Redis redis, Worker rooms, Worker empty, Worker engine, Worker map) {}

    @Override
    public Integer call() {
        try (RunFolder folder = RunFolder.create("room")) {
            Table table = rooms(folder);
            new AdmittedSessions(folder).addTo(table);
            return table.print();
        }
    }

    private Table rooms(RunFolder folder) {
        try (RunFolder part = folder.part("rooms")) {
            Redis redis = Redis.start(part, Cores.LOAD);
            Parties parties = new Parties(
                    redis,
                    Worker.start(part, Cores.MEASURED, "1g", RoomWorker.class, redis.port()),
                    Worker.start(part, Cores.MEASURED, EmptyScriptWorker.class, redis.port()),
                    Worker.start(part, Cores.MEASURED, "1g", MemoryWorker.class, "engine"),
                    Worker.start(part, Cores.MEASURED, "1g", MemoryWorker.class, "map"));
            Map<Integer, Long> bytes = fill(parties);
            List<RoomSeries> series = series(parties);
            measure(series, redis);
            return new RoomTable(series, bytes).table();
        }
    }

    /** Fills each room and returns the growth of Redis in bytes, by queue length. */
    private Map<Integer, Long> fill(Parties parties) {
        Map<Integer, Long> bytes = new TreeMap<>();
        for (int line : LINES) {
            long bytesBefore = StoreMemory.ofRedis(parties.redis.port());
            Decisions filled = parties.rooms.ask("waiting " + line + " fill", Decisions.class);
            bytes.put(line, StoreMemory.ofRedis(parties.redis.port()) - bytesBefore);
            parties.engine.ask("waiting " + line + " fill");
            parties.map.ask("waiting " + line + " fill");
            Progress.say(
                    "%,d wait in Redis and in memory; the line formed at %,.0f/s",
                    line, filled.cost().perSecond());
        }
        parties.rooms.ask("admitted " + ADMITTED + " fill");
        parties.engine.ask("admitted " + ADMITTED + " fill");
        return bytes;
    }

    private List<RoomSeries> series(Parties parties) {
        String admitted = "admitted " + ADMITTED + " " + seconds;
        String recorded = "recorded " + LINES.get(0) + " ";
        List<RoomSeries> all = new ArrayList<>();
        LINES.forEach(line -> all.add(new RoomSeries(Kind.WAITING, line, parties.rooms, waiting(line))));
        all.add(new RoomSeries(
                Kind.RECORDED,
                LINES.get(0),
                question -> parties.rooms.ask(question, Decisions.class),
                List.of(recorded + "fill"),
                recorded + seconds,
                new ArrayList<>()));
        all.add(new RoomSeries(Kind.ADMITTED, ADMITTED, parties.rooms, admitted));
        all.add(new RoomSeries(Kind.EMPTY, 0, parties.empty, String.valueOf(seconds)));
        for (int line : LINES) {
            all.add(new RoomSeries(Kind.MEMORY, line, parties.engine, waiting(line)));
            all.add(new RoomSeries(Kind.MAP, line, parties.map, waiting(line)));
        }
        all.add(new RoomSeries(Kind.MEMORY_ADMITTED, ADMITTED, parties.engine, admitted));
        return all;
    }

    private String waiting(int line) {
        return "waiting " + line + " " + seconds;
    }

    private void measure(List<RoomSeries> all, Redis redis) {
        List<RoomSeries> order = new ArrayList<>(all);
        for (int number = 1 - options.warmUp; number <= options.rounds; number++) {
            for (RoomSeries series : order) {
                RoomSeries.Turn turn = series.ask(redis);
                if (number > 0) {
                    series.turns().add(turn);
                }
                Progress.say(
                        "%s: %-23s %,11.0f/s, CPU %.2f us in Redis, %.2f us here",
                        number < 1 ? "warming up" : "round %d of %d".formatted(number, options.rounds),
                        series.name(),
                        turn.perSecond(),
                        turn.redisMicros(),
                        turn.ownMicros());
            }
            // Each worker goes first equally often, so that no worker always follows the same other worker.
            Collections.rotate(order, 1);
        }
    }
}
