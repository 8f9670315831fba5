package dev.postern.app.context;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/** How much of the time the collector stops everything. */
public final class GcShare implements ContextSource {

    private static final double MUCH = 0.10;

    private final LongSupplier collected;
    private final LongSupplier clock;
    private final Streak streak = new Streak();
    private long lastCollected;
    private long lastClock;

    /**
     * @param collected milliseconds that collections took, since the start
     * @param clock milliseconds, never going back
     */
    GcShare(LongSupplier collected, LongSupplier clock) {
        this.collected = collected;
        this.clock = clock;
        this.lastCollected = collected.getAsLong();
        this.lastClock = clock.getAsLong();
    }

    /** Of this process. */
    public static GcShare ofThis() {
        return new GcShare(GcShare::pauses, () -> System.nanoTime() / 1_000_000);
    }

    /** Concurrent collectors count their cycles, too, in which everybody else works on. */
    private static long pauses() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(gc -> !gc.getName().contains("Cycles"))
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    @Override
    public List<ContextItem> items() {
        long now = clock.getAsLong();
        long total = collected.getAsLong();
        double share = now == lastClock ? 0 : (double) (total - lastCollected) / (now - lastClock);
        lastCollected = total;
        lastClock = now;
        boolean much = streak.after(share > MUCH);
        return List.of(
                ContextItem.state(
                        "jvm.gc-share",
                        "at most " + Math.round(MUCH * 100) + " %",
                        String.format(Locale.ROOT, "%.1f %%", share * 100),
                        !much,
                        "More heap (-XX:MaxRAMPercentage or a larger container), or less garbage: /flamegraph?event=alloc shows whose."));
    }
}
