package dev.postern.load.bench;

import dev.postern.auth.spend.StoreSizing;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.StoreMemory;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Memcached;
import dev.postern.load.server.Redis;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Cost;
import dev.postern.load.worker.LedgerWorker;
import dev.postern.load.worker.Outstanding;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;

/**
 * Measures the maximum bytes per spend in each store while the store fills, beside the value that {@code postern size}
 * uses.
 */
@Command(
        name = "size",
        description = "Bytes of a spend in each store, at their maximum while it fills, beside what postern size says.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
final class SizeBench implements Callable<Integer> {
    /** Spends before the first look: few make what is there anyway too dear. */
    private static final int FROM = 250_000;
    /** Spends between two looks. */
    private static final int STEP = 25_000;

    private static final int LOOKS = 40;

    private final Table table = new Table();

    @Override
    public Integer call() {
        RunFolder folder = RunFolder.create("size");
        Path journal = folder.folder("journal");
        try (Memcached memcached = Memcached.start(folder, Cores.LOAD);
                Redis redis = Redis.start(folder, Cores.LOAD);
                Worker inMemcached = worker(folder, "memcached", String.valueOf(memcached.port()), "NETTY");
                Worker inRedis = worker(folder, "redis", String.valueOf(redis.port()));
                Worker embedded = worker(folder, "embedded", journal.toString())) {
            fill(StoreSizing.MEMCACHED, inMemcached, worker -> StoreMemory.ofMemcached(memcached.port()));
            fill(StoreSizing.REDIS, inRedis, worker -> StoreMemory.ofRedis(redis.port()));
            fill(StoreSizing.EMBEDDED, embedded, worker -> StoreMemory.ofEmbedded(worker.ask("stores")));
            double onDisk = (double) StoreMemory.ofFolder(journal) / (FROM + STEP * (LOOKS - 1));
            table.goal("journal: bytes a spend", onDisk, Goal.atMost(StoreSizing.JOURNAL.bytes()));
        }
        System.out.println(table);
        return table.status();
    }

    private static Worker worker(RunFolder folder, String... store) {
        return Worker.start(folder, Cores.MEASURED, LedgerWorker.class, store);
    }

    private void fill(StoreSizing store, Worker worker, ToLongFunction<Worker> memory) {
        double max = 0;
        double min = Double.MAX_VALUE;
        int spends = FROM;
        spend(worker, FROM);
        for (int look = 0; look < LOOKS; look++) {
            if (look > 0) {
                spend(worker, STEP);
                spends += STEP;
            }
            double each = (double) memory.applyAsLong(worker) / spends;
            max = Math.max(max, each);
            min = Math.min(min, each);
        }
        String name = store.name().toLowerCase(Locale.ROOT);
        Progress.say("%s: %,d spends, %.0f to %.0f bytes each".formatted(name, spends, min, max));
        table.note(name + ": bytes a spend, at best", "%.0f".formatted(min))
                .goal(name + ": bytes a spend, at worst", max, Goal.atMost(store.bytes()));
    }

    private static void spend(Worker worker, int count) {
        Cost.parse(worker.ask(count + " " + Outstanding.AT_ONCE));
    }
}
