package dev.postern.load.proxies;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.ProcessStatus;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.IdleWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Idle part: memory and threads of the gateway's process for each idle connection. */
record IdlePart(Kind kind) implements Part {
    private static final Goal SAME = Goal.atMost(0);
    private static final int A_FEW = 10;
    private static final int FEWER = 1_000;
    private static final int MORE = 10_000;
    private static final int BODY = 128;
    private static final int CONNECTIONS = 64;
    /** Each round needs a new gateway, since memory once touched stays resident; three rounds are enough. */
    private static final int MAX_ROUNDS = 3;

    /**
     * A young generation of fixed size, which the warm-up touches from end to end: only live objects make the heap grow
     * afterwards.
     */
    static final String HEAP = "-Xms1g -Xmx1g -Xmn64m -XX:+UseSerialGC";

    /** Protocol of the connections, and the goal for the memory of one connection. */
    enum Kind {
        H1("idle", "h1", "idle connections", 6_000),
        H2("idle-h2", "h2", "idle HTTP/2 connections", 25_000),
        TLS("idle-tls", "tls", "idle TLS connections", 30_000);

        private final String part;
        private final String protocol;
        private final String title;
        private final Goal bytes;

        Kind(String part, String protocol, String title, int bytes) {
            this.part = part;
            this.protocol = protocol;
            this.title = title;
            this.bytes = Goal.atMost(bytes);
        }
    }

    /**
     * Cost of the connections.
     *
     * @param moreThreads threads at {@link #MORE} connections minus threads at {@link #A_FEW}
     */
    private record Cost(double bytes, double moreThreads) {}

    @Override
    public String name() {
        return kind.part;
    }

    @Override
    public String title() {
        return kind.title;
    }

    @Override
    public void measure(Pace pace, Table table) {
        int rounds = Math.min(MAX_ROUNDS, pace.rounds());
        double[] bytes = new double[rounds];
        double[] moreThreads = new double[rounds];
        RunFolder folder = RunFolder.create("proxies-" + name());
        try (Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, BODY, false)) {
            for (int i = 0; i < rounds; i++) {
                Cost cost = round(pace, folder, origin, i + 1);
                bytes[i] = cost.bytes;
                moreThreads[i] = cost.moreThreads;
                Progress.say(name()
                        + ", round %d of %d: %,.0f bytes each, %+.0f threads"
                                .formatted(i + 1, rounds, cost.bytes, cost.moreThreads));
            }
        }
        table.goal("resident bytes each, from %,d to %,d".formatted(FEWER, MORE), Interval.of(bytes), kind.bytes);
        table.goal("threads more at %,d than at %d".formatted(MORE, A_FEW), Interval.of(moreThreads), SAME);
    }

    private Cost round(Pace pace, RunFolder folder, Nginx origin, int number) {
        String name = Peer.POSTERN + "-" + number;
        try (Peer postern = gateway(name, folder, origin);
                Worker clients = Worker.start(
                        folder, Cores.LOAD, IdleWorker.class, String.valueOf(postern.port()), kind.protocol)) {
            long pid = postern.process().pid();
            warmUp(postern, pace);
            hold(clients, A_FEW);
            collect(pid);
            long threads = threads(pid);
            hold(clients, FEWER);
            collect(pid);
            long fewer = ProcessStatus.resident(pid);
            hold(clients, MORE);
            collect(pid);
            long more = ProcessStatus.resident(pid);
            long moreThreads = threads(pid) - threads;
            clients.ask("check");
            return new Cost((double) (more - fewer) / (MORE - FEWER), moreThreads);
        }
    }

    private Peer gateway(String name, RunFolder folder, Nginx origin) {
        Map<String, String> heap = Map.of("POSTERN_JAVA_OPTS", HEAP);
        return kind == Kind.TLS
                ? Peer.posternOverTls(name, folder, origin.port(), heap)
                : Peer.postern(name, folder, origin.port(), heap);
    }

    private void warmUp(Peer postern, Pace pace) {
        switch (kind) {
            case H1, TLS -> Load.http1(CONNECTIONS).warmUp(postern, pace.warmUp());
            case H2 -> Load.http2(1, CONNECTIONS).warmUp(postern, pace.warmUp());
        }
    }

    private static void hold(Worker clients, int count) {
        Progress.say("opening connections until there are %,d".formatted(count));
        clients.ask("hold " + count);
    }

    static void collect(long pid) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Command.output(List.of(jcmd, String.valueOf(pid), "GC.run"));
    }

    /** Counts the threads without those of the JIT compilers, whose number follows the amount of code to compile. */
    private static long threads(long pid) {
        return ProcessStatus.threads(pid).stream()
                .filter(thread -> !thread.contains("CompilerThre"))
                .count();
    }
}
