package dev.postern.load.run;

import dev.postern.load.measure.MetricsPage;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.TimerScrape;
import java.util.ArrayList;
import java.util.List;

/** Figures of the gateway itself, from its meters before and after a simulation. */
record GatewayFigures(MetricsPage before, MetricsPage after) {
    private static final double MEBI = 1024 * 1024;
    private static final String STAGES = "postern_exchange_stage_seconds";
    private static final String SPENDS = "postern_spend_seconds";

    /** Adds a row for each figure that the gateway has. */
    void addTo(Table table) {
        counts(table, "exchanges", "postern_exchanges_total", "outcome");
        counts(table, "refusals", "postern_refusals_total", "code");
        counts(table, "room decisions", "postern_room_decisions_total", "decision");
        counts(table, "spends", SPENDS + "_count", "result");
        time(table, "spend", SPENDS, "");
        for (String stage : after.values(STAGES + "_bucket", "stage")) {
            time(table, "stage " + stage, STAGES, "stage=\"" + stage + "\"");
        }
        for (String state : List.of("waiting", "active")) {
            gauge(table, "room, " + state, "postern_room_" + state, "", 1);
        }
        gauge(table, "heap, MiB", "jvm_memory_used_bytes", "area=\"heap\"", MEBI);
        gauge(table, "direct memory of the JVM, MiB", "jvm_buffer_memory_used_bytes", "id=\"direct\"", MEBI);
        gauge(table, "direct memory of Netty, MiB", "netty_allocator_memory_used", "memory_type=\"direct\"", MEBI);
        gauge(table, "descriptors", "process_files_open_files", "", 1);
        gauge(table, "threads", "jvm_threads_live_threads", "", 1);
        gauge(table, "client connections", "postern_connections", "", 1);
    }

    /** Adds a row with what was counted meanwhile, by the values of a label. */
    private void counts(Table table, String figure, String counter, String key) {
        List<String> counts = new ArrayList<>();
        for (String value : after.values(counter, key)) {
            String label = key + "=\"" + value + "\"";
            double earlier = before.sum(counter, label);
            long added = Math.round(after.sum(counter, label) - (Double.isNaN(earlier) ? 0 : earlier));
            if (added > 0) {
                counts.add(added + " " + value);
            }
        }
        if (!counts.isEmpty()) {
            table.note("gateway: " + figure, String.join(", ", counts));
        }
    }

    private void time(Table table, String figure, String timer, String label) {
        TimerScrape added = after.timer(timer, label).since(before.timer(timer, label));
        if (added.count() > 0) {
            table.note("gateway: " + figure + ", p50 / p99 ms", millis(added, 50) + " / " + millis(added, 99));
        }
    }

    private static String millis(TimerScrape times, double percentile) {
        return Spread.number(times.micros(percentile) / 1000);
    }

    private void gauge(Table table, String figure, String gauge, String label, double unit) {
        double now = after.sum(gauge, label);
        if (!Double.isNaN(now)) {
            table.note(
                    "gateway: " + figure + ", before / after",
                    Spread.number(before.sum(gauge, label) / unit) + " / " + Spread.number(now / unit));
        }
    }
}
