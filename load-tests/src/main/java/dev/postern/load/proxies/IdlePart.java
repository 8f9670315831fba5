package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.LiveHeap;
import dev.postern.load.measure.ProcessStatus;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.IdleWorker;
import dev.postern.load.worker.Worker;
import java.util.List;
import java.util.Map;

/**
 * Idle part: memory and threads of the gateway's process for each idle connection.
 *
 * @param protocol of the connections, as {@link IdleWorker} knows it
 * @param goal for the bytes of one connection
 */
record IdlePart(String name, String protocol, String title, Goal goal) implements Part {
    private static final String TLS = "tls";

    static final List<IdlePart> ALL = List.of(
            new IdlePart("idle", "h1", "idle connections", Goal.atMost(6_000)),
            new IdlePart("idle-h2", "h2", "idle HTTP/2 connections", Goal.atMost(25_000)),
            new IdlePart("idle-tls", TLS, "idle TLS connections", Goal.atMost(30_000)));

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

    /**
     * Cost of the connections.
     *
     * @param moreThreads threads at {@link #MORE} connections minus threads at {@link #A_FEW}
     */
    private record Cost(double bytes, double moreThreads) {}

    @Override
    public void measure(Pace pace, Table table) {
        int rounds = Math.min(MAX_ROUNDS, pace.rounds());
        double[] bytes = new double[rounds];
        double[] moreThreads = new double[rounds];
        try (RunFolder folder = RunFolder.create("proxies-" + name())) {
            Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, BODY, false);
            for (int i = 0; i < rounds; i++) {
                Cost cost = round(pace, folder, origin, i + 1);
                bytes[i] = cost.bytes;
                moreThreads[i] = cost.moreThreads;
                Progress.say(name()
                        + ", round %d of %d: %,.0f bytes each, %+.0f threads"
                                .formatted(i + 1, rounds, cost.bytes, cost.moreThreads));
            }
        }
        table.goal("resident bytes each, from %,d to %,d".formatted(FEWER, MORE), Interval.of(bytes), goal);
        table.goal("threads more at %,d than at %d".formatted(MORE, A_FEW), Interval.of(moreThreads), SAME);
    }

    private Cost round(Pace pace, RunFolder folder, Nginx origin, int number) {
        String name = Peer.POSTERN + "-" + number;
        try (Peer postern = Peer.postern(
                        name, folder, origin.port(), protocol.equals(TLS), Map.of("POSTERN_JAVA_OPTS", HEAP));
                Worker clients = Worker.start(folder, Cores.LOAD, IdleWorker.class, postern.port(), protocol)) {
            long pid = postern.process().pid();
            warmUp(postern, pace);
            hold(clients, A_FEW);
            LiveHeap.collect(pid);
            long threads = ProcessStatus.workThreads(pid);
            double bytes = bytesEach(pid, clients, FEWER, MORE);
            long moreThreads = ProcessStatus.workThreads(pid) - threads;
            clients.ask("check");
            return new Cost(bytes, moreThreads);
        }
    }

    private void warmUp(Peer postern, Pace pace) {
        Load load = protocol.equals("h2") ? Load.http2(1, CONNECTIONS) : Load.http1(CONNECTIONS);
        load.warmUp(postern, pace.warmUp());
    }

    /** Returns the growth of the resident memory for each connection, without garbage. */
    static double bytesEach(long pid, Worker clients, int fewer, int more) {
        hold(clients, fewer);
        LiveHeap.collect(pid);
        long before = ProcessStatus.resident(pid);
        hold(clients, more);
        LiveHeap.collect(pid);
        return (double) (ProcessStatus.resident(pid) - before) / (more - fewer);
    }

    private static void hold(Worker clients, int count) {
        Progress.say("opening connections until there are %,d", count);
        clients.ask("hold " + count);
    }
}
