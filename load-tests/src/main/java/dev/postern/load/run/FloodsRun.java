package dev.postern.load.run;

import dev.postern.core.testing.flood.Flood;
import dev.postern.core.testing.flood.FloodOrigin;
import dev.postern.core.testing.flood.FloodResult;
import dev.postern.core.testing.flood.FloodTarget;
import dev.postern.core.testing.flood.Floods;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.ProcessStatus;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.time.Duration;
import java.util.Map;

/**
 * Floods run: one flood after the other against a gateway process as users start it. It measures how long other clients
 * wait meanwhile, the memory of the gateway, and the resources that remain in use afterwards.
 */
record FloodsRun(RunFolder folder, Duration each) {

    private static final double WORST_SECONDS = 2;
    private static final double GROWTH_MEBIBYTES = 128;
    private static final double MEBI = 1024 * 1024;

    /**
     * Makes the whole heap resident before the first flood: a heap that may still grow does so under any load and hides
     * the memory of a flood. A flood that needs more than this ends the process and so fails its row.
     */
    private static final String HEAP = "-Xms512m -Xmx512m -XX:+AlwaysPreTouch";

    private static final Duration WARM_UP = Duration.ofSeconds(1);

    static FloodsRun of(RunFolder folder, Map<String, String> parameters) {
        return new FloodsRun(folder, Duration.ofSeconds(Long.parseLong(parameters.getOrDefault("seconds", "10"))));
    }

    Table run() {
        int port = Ports.free();
        int admin = Ports.free();
        Table table = new Table();
        table.note("gateway's JVM", HEAP);
        try (FloodOrigin origin = new FloodOrigin()) {
            ServerProcess gateway = Postern.gateway(
                    folder, "flooded", Cores.ANY, yaml(port, admin, origin), admin, Map.of("POSTERN_JAVA_OPTS", HEAP));
            FloodTarget target = new FloodTarget(port, admin, gateway.pid());
            for (Flood flood : Floods.all()) { // classes, arenas and threads come with the first of each kind
                FloodResult.run(flood, target, WARM_UP, () -> 0);
            }
            for (Flood flood : Floods.all()) {
                Progress.say(flood.name() + " for " + each.toSeconds() + " s");
                FloodResult came = FloodResult.run(flood, target, each, () -> ProcessStatus.resident(target.pid()));
                rows(table, came);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return table;
    }

    private static String yaml(int port, int admin, FloodOrigin origin) {
        return "listeners:\n  - {name: web, address: \"127.0.0.1:" + port + "\", congestion-control: system}\n"
                + "admin: {address: \"127.0.0.1:" + admin + "\"}\n" + FloodTarget.SETTINGS.formatted(origin.address());
    }

    private static void rows(Table table, FloodResult came) {
        String name = came.flood().name() + ": ";
        table.note(name + "exchanges of others", came.responded());
        table.verdict(
                name + "of them without status 200",
                came.failures()
                        + (came.firstFailure().isEmpty()
                                ? ""
                                : " (" + came.firstFailure().strip() + ")"),
                "= 0",
                came.failures() == 0 && came.responded() > 0);
        table.goal(name + "their worst latency, s", came.worstSeconds(), Goal.lessThan(WORST_SECONDS));
        table.goal(name + "RSS, more MiB at most", came.grown() / MEBI, Goal.lessThan(GROWTH_MEBIBYTES));
        table.goal(
                name + "descriptors, before " + came.descriptorsBefore() + ", after",
                came.descriptorsAfter(),
                Goal.atMost(came.descriptorsBefore()));
        table.goal(name + "counted as what it is", came.counted(), Goal.atLeast(1));
    }
}
