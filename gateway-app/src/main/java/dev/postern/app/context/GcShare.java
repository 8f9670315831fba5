package dev.postern.app.context;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Share of time in garbage collection pauses. Of a pause, only the processor time of the collector's threads counts: for the rest, other
 * processes used the cores.
 */
final class GcShare implements ContextSource {

    private static final double MUCH = 0.10;
    private static final String TASKS = "self/task/";

    /** Thread names of HotSpot; the serial collector runs on the VM thread. */
    private static final Pattern COLLECTORS = Pattern.compile("GC Thread#.*|ParGC Thread#.*|VM Thread");

    private final Supplier<Reading> readings;
    private final Debounce debounce = new Debounce();
    private Reading last;

    /**
     * Reading of counters, all in milliseconds.
     *
     * @param pauses sum of the pauses of collections
     * @param work processor time of the collector's threads; not a number if unknown
     * @param clock with any origin
     */
    record Reading(double pauses, double work, double clock) {

        double shareSince(Reading earlier) {
            double time = clock - earlier.clock;
            double paused = pauses - earlier.pauses;
            double worked = work - earlier.work;
            return time <= 0 ? 0 : (Double.isNaN(worked) ? paused : Math.min(paused, worked)) / time;
        }
    }

    GcShare(Supplier<Reading> readings) {
        this.readings = readings;
        this.last = readings.get();
    }

    /** Returns the source for this process. */
    static GcShare ofThis(ProcFiles proc) {
        return new GcShare(() -> new Reading(pauses(), collectorMillis(proc), System.nanoTime() / 1e6));
    }

    /**
     * Returns the processor time of the threads that collect garbage during pauses, since their start in milliseconds; not a number if the
     * kernel does not report it.
     */
    static double collectorMillis(ProcFiles proc) {
        List<String> nanos = proc.names(TASKS).stream()
                .filter(task ->
                        COLLECTORS.matcher(proc.text(TASKS + task + "/comm")).matches())
                .flatMap(
                        task -> proc.words(TASKS + task + "/schedstat").stream().limit(1))
                .toList();
        return nanos.isEmpty()
                ? Double.NaN
                : nanos.stream().mapToDouble(Double::parseDouble).sum() / 1e6;
    }

    /** Returns the sum of all pauses. Beans of concurrent cycles are left out, because other threads run during a cycle. */
    private static long pauses() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(gc -> !gc.getName().contains("Cycles"))
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    @Override
    public List<ContextItem> items() {
        Reading now = readings.get();
        double share = now.shareSince(last);
        last = now;
        boolean much = debounce.after(share > MUCH);
        return List.of(
                ContextItem.state(
                        "jvm.gc-share",
                        "at most " + Math.round(MUCH * 100) + " %",
                        String.format(Locale.ROOT, "%.1f %%", share * 100),
                        !much,
                        "More heap (-XX:MaxRAMPercentage or a larger container), or less garbage: see POST /flamegraph?event=alloc."));
    }
}
