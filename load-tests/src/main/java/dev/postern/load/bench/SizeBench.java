package dev.postern.load.bench;

import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.StoreSizing;
import dev.postern.load.jmh.LedgerLoad;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.StoreMemory;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Memcached;
import dev.postern.load.server.Redis;
import dev.postern.load.server.RunFolder;
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
        description = "Bytes of a spend in each store, at their maximum while it fills, beside what postern size says.")
final class SizeBench implements Callable<Integer> {
    /** Spends before the first look: few make what is there anyway too dear. */
    private static final int FROM = 250_000;
    /** Spends between two looks. */
    private static final int STEP = 25_000;

    private static final int LOOKS = 40;

    private final Table table = new Table();

    @Override
    public Integer call() {
        try (RunFolder folder = RunFolder.create("size")) {
            int memcached = Memcached.start(folder, Cores.LOAD).port();
            int redis = Redis.start(folder, Cores.LOAD).port();
            Path journal = folder.folder("journal");
            fill(
                    StoreSizing.MEMCACHED,
                    LedgerLoad.memcached(Client.NETTY, memcached),
                    ledger -> StoreMemory.ofMemcached(memcached));
            fill(StoreSizing.REDIS, LedgerLoad.redis(redis), ledger -> StoreMemory.ofRedis(redis));
            fill(StoreSizing.EMBEDDED, LedgerLoad.embedded(journal), ledger -> StoreMemory.ofEmbedded(ledger.stores()));
            double onDisk = (double) StoreMemory.ofFolder(journal) / (FROM + STEP * (LOOKS - 1));
            table.goal("journal: bytes a spend", onDisk, Goal.atMost(StoreSizing.JOURNAL.bytes()));
        }
        return table.print();
    }

    private void fill(StoreSizing store, LedgerLoad opened, ToLongFunction<LedgerLoad> memory) {
        double max = 0;
        double min = Double.MAX_VALUE;
        int spends = 0;
        try (LedgerLoad ledger = opened) {
            for (int look = 0; look < LOOKS; look++) {
                int more = look == 0 ? FROM : STEP;
                ledger.spend(ledger.fresh(more), LedgerLoad.AT_ONCE);
                spends += more;
                double each = (double) memory.applyAsLong(ledger) / spends;
                max = Math.max(max, each);
                min = Math.min(min, each);
            }
        }
        String name = store.name().toLowerCase(Locale.ROOT);
        Progress.say("%s: %,d spends, %.0f to %.0f bytes each", name, spends, min, max);
        table.note(name + ": bytes a spend, at best", "%.0f".formatted(min))
                .goal(name + ": bytes a spend, at worst", max, Goal.atMost(store.bytes()));
    }
}
