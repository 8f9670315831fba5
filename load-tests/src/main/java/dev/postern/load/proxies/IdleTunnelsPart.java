package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.ProcessStatus;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.IdleWorker;
import dev.postern.load.worker.Worker;
import java.util.Map;

/** Part of the tunnel benchmark: resident memory of the gateway's process for each idle tunnel. */
record IdleTunnelsPart(Kind kind) implements Part {
    private static final int FEWER = 200;
    private static final int MORE = 2_000;
    /** Tunnels that open and close in turn before the first that counts, so that the code for it is compiled. */
    private static final int WARM_UP = 15_000;
    /** Each round needs a new gateway, since memory once touched stays resident. */
    private static final int MAX_ROUNDS = 3;

    /** Only the fast JIT compiler: the other one takes and keeps up to 12 MiB, at any moment, as if tunnels needed them. */
    private static final String JVM = IdlePart.HEAP + " -XX:TieredStopAtLevel=1";

    private static final double KIBIBYTE = 1024;

    /** Kind of the tunnels, and the goal for the memory of one. */
    enum Kind {
        TCP("tcp", "idle TCP tunnels", 8),
        UDP("udp", "idle UDP tunnels", 8),
        H2("h2", "idle TCP tunnels, each a stream of HTTP/2, 100 on a connection", 7);

        private final String protocol;
        private final String title;
        private final Goal kibibytes;

        Kind(String protocol, String title, int kibibytes) {
            this.protocol = protocol;
            this.title = title;
            this.kibibytes = Goal.atMost(kibibytes);
        }
    }

    @Override
    public String name() {
        return "idle-" + kind.protocol;
    }

    @Override
    public String title() {
        return kind.title;
    }

    @Override
    public void measure(Pace pace, Table table) {
        int rounds = Math.min(MAX_ROUNDS, pace.rounds());
        double[] kibibytes = new double[rounds];
        RunFolder folder = RunFolder.create("tunnels-" + name());
        for (int i = 0; i < rounds; i++) {
            kibibytes[i] = round(folder, "postern-" + (i + 1));
            Progress.say("%s, round %d of %d: %.2f KiB each".formatted(name(), i + 1, rounds, kibibytes[i]));
        }
        table.goal("resident KiB each, from %,d to %,d".formatted(FEWER, MORE), Interval.of(kibibytes), kind.kibibytes);
    }

    private double round(RunFolder folder, String name) {
        try (TunnelSite.Through gateway = TunnelSite.gateway(folder, name, Map.of("POSTERN_JAVA_OPTS", JVM));
                Worker clients = Worker.start(
                        folder,
                        Cores.LOAD,
                        IdleWorker.class,
                        String.valueOf(gateway.port()),
                        "tunnel-" + kind.protocol)) {
            long pid = gateway.process().pid();
            clients.ask("churn " + WARM_UP);
            clients.ask("hold " + FEWER);
            long fewer = resident(pid);
            clients.ask("hold " + MORE);
            long more = resident(pid);
            clients.ask("check");
            return (more - fewer) / KIBIBYTE / (MORE - FEWER);
        }
    }

    private static long resident(long pid) {
        IdlePart.collect(pid);
        return ProcessStatus.resident(pid);
    }
}
