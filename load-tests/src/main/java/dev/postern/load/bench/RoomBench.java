package dev.postern.load.bench;

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
import java.util.NavigableMap;
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
                + " beside an empty script and a bare map; memory of waiting sessions.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
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
        RunFolder folder = RunFolder.create("room");
        Table table;
        try (Redis redis = Redis.start(folder, Cores.LOAD)) {
            String port = String.valueOf(redis.port());
            try (Worker rooms = Worker.start(folder, Cores.MEASURED, "1g", RoomWorker.class, port);
                    Worker empty = Worker.start(folder, Cores.MEASURED, EmptyScriptWorker.class, port);
                    Worker engine = Worker.start(folder, Cores.MEASURED, "1g", MemoryWorker.class, "engine");
                    Worker map = Worker.start(folder, Cores.MEASURED, "1g", MemoryWorker.class, "map")) {
                Parties parties = new Parties(redis, rooms, empty, engine, map);
                Map<Integer, Long> bytes = fill(parties);
                RoomTurns turns = turns(parties);
                measure(turns, redis);
                table = new RoomTable(turns, bytes).table();
            }
        }
        new AdmittedSessions(folder).addTo(table);
        System.out.println(table);
        return table.status();
    }

    /** Fills each room and returns the growth of Redis in bytes, by queue length. */
    private Map<Integer, Long> fill(Parties parties) {
        Map<Integer, Long> bytes = new TreeMap<>();
        for (int line : LINES) {
            long bytesBefore = StoreMemory.ofRedis(parties.redis.port());
            Decisions filled = Decisions.parse(parties.rooms.ask("waiting " + line + " fill"));
            bytes.put(line, StoreMemory.ofRedis(parties.redis.port()) - bytesBefore);
            parties.engine.ask("waiting " + line + " fill");
            parties.map.ask("waiting " + line + " fill");
            Progress.say("%,d wait in Redis and in memory; the line formed at %,.0f/s"
                    .formatted(line, filled.cost().perSecond()));
        }
        parties.rooms.ask("admitted " + ADMITTED + " fill");
        parties.engine.ask("admitted " + ADMITTED + " fill");
        return bytes;
    }

    private RoomTurns turns(Parties parties) {
        NavigableMap<Integer, RoomSeries> waiting = new TreeMap<>();
        NavigableMap<Integer, RoomSeries> memory = new TreeMap<>();
        NavigableMap<Integer, RoomSeries> map = new TreeMap<>();
        for (int line : LINES) {
            String question = "waiting " + line + " " + seconds;
            waiting.put(line, new RoomSeries("redis, waiting " + line, parties.rooms::ask, question));
            memory.put(line, new RoomSeries("memory, waiting " + line, parties.engine::ask, question));
            map.put(line, new RoomSeries("bare map, rows " + line, parties.map::ask, question));
        }
        return new RoomTurns(
                waiting,
                recorded(parties),
                new RoomSeries("redis, admitted", parties.rooms::ask, "admitted " + ADMITTED + " " + seconds),
                new RoomSeries("empty script", parties.empty::ask, String.valueOf(seconds)),
                memory,
                map,
                new RoomSeries("memory, admitted", parties.engine::ask, "admitted " + ADMITTED + " " + seconds));
    }

    private RoomSeries recorded(Parties parties) {
        String room = "recorded " + LINES.get(0) + " ";
        return new RoomSeries(
                "redis, recorded", parties.rooms::ask, List.of(room + "fill"), room + seconds, new ArrayList<>());
    }

    private void measure(RoomTurns turns, Redis redis) {
        List<RoomSeries> order = new ArrayList<>(turns.all());
        for (int number = 1 - options.warmUp; number <= options.rounds; number++) {
            for (RoomSeries series : order) {
                RoomSeries.Turn turn = series.ask(redis);
                if (number > 0) {
                    series.turns().add(turn);
                }
                Progress.say("%s: %-23s %,11.0f/s, CPU %.2f us in Redis, %.2f us here"
                        .formatted(
                                number < 1 ? "warming up" : "round %d of %d".formatted(number, options.rounds),
                                series.name(),
                                turn.perSecond(),
                                turn.redisMicros(),
                                turn.ownMicros()));
            }
            // Each worker goes first equally often, so that no worker always follows the same other worker.
            Collections.rotate(order, 1);
        }
    }
}
