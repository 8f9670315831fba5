package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.IdleWorker;
import dev.postern.load.worker.Worker;
import java.util.List;
import java.util.Map;

/**
 * Part of the tunnel benchmark: resident memory of the gateway's process for each idle tunnel.
 *
 * @param protocol of the tunnels, as {@link IdleWorker} knows it
 * @param goal for the KiB of one tunnel
 */
record IdleTunnelsPart(String name, String protocol, String title, Goal goal) implements Part {
    static final List<IdleTunnelsPart> ALL = List.of(
            new IdleTunnelsPart("idle-tcp", "tunnel-tcp", "idle TCP tunnels", Goal.atMost(8)),
            new IdleTunnelsPart("idle-udp", "tunnel-udp", "idle UDP tunnels", Goal.atMost(8)),
            new IdleTunnelsPart(
                    "idle-h2",
                    "tunnel-h2",
                    "idle TCP tunnels, each a stream of HTTP/2, 100 on a connection",
                    Goal.atMost(7)));

    private static final int FEWER = 200;
    private static final int MORE = 2_000;
    /** Tunnels that open and close in turn before the first that counts, so that the code for it is compiled. */
    private static final int WARM_UP = 15_000;
    /** Each round needs a new gateway, since memory once touched stays resident. */
    private static final int MAX_ROUNDS = 3;

    /** Only the fast JIT compiler: the other one takes and keeps up to 12 MiB, at any moment, as if tunnels needed them. */
    private static final String JVM = IdlePart.HEAP + " -XX:TieredStopAtLevel=1";

    private static final double KIBIBYTE = 1024;

    @Override
    public void measure(Pace pace, Table table) {
        int rounds = Math.min(MAX_ROUNDS, pace.rounds());
        double[] kibibytes = new double[rounds];
        try (RunFolder folder = RunFolder.create("tunnels-" + name())) {
            for (int i = 0; i < rounds; i++) {
                kibibytes[i] = round(folder, "postern-" + (i + 1));
                Progress.say("%s, round %d of %d: %.2f KiB each", name(), i + 1, rounds, kibibytes[i]);
            }
        }
        table.goal("resident KiB each, from %,d to %,d".formatted(FEWER, MORE), Interval.of(kibibytes), goal);
    }

    private double round(RunFolder folder, String name) {
        try (TunnelSite.Through gateway = TunnelSite.gateway(folder, name, Map.of("POSTERN_JAVA_OPTS", JVM));
                Worker clients = Worker.start(folder, Cores.LOAD, IdleWorker.class, gateway.port(), protocol)) {
            clients.ask("churn " + WARM_UP);
            double bytes = IdlePart.bytesEach(gateway.process().pid(), clients, FEWER, MORE);
            clients.ask("check");
            return bytes / KIBIBYTE;
        }
    }
}
