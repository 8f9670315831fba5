package dev.postern.load.oldnew;

import dev.postern.load.measure.LoadRun;
import dev.postern.load.proxies.ServerContender;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.Worker;
import java.time.Duration;
import java.util.List;

/**
 * Clients of a worker, whose questions are {@code KIND RATE CALLS}. They send more slowly than the rate demands, each
 * its next request when it has the response to its last one.
 *
 * @param perSecond calls in a second of a turn, about as many as a core serves
 * @param warmUps prefixes of the questions of the warm-up
 * @param kind prefix of the question of a turn
 */
record WorkerClients(Worker worker, int perSecond, List<String> warmUps, String kind) {
    private static final int RATE = 1_000_000;

    /** Returns the contender whose load these clients are. */
    ServerContender contender(String name, ServerProcess gateway) {
        return new ServerContender(name, List.of(gateway), this::warmUp, this::send);
    }

    private void warmUp(Duration length) {
        warmUps.forEach(prefix -> worker.ask(question(prefix, calls(length) / warmUps.size())));
    }

    private LoadRun send(Duration length) {
        Latencies latencies =
                worker.ask(question(kind, calls(length)), Latencies.class).withoutFailures();
        return new LoadRun(latencies.calls(), Double.NaN, latencies.sentP50());
    }

    private static String question(String prefix, int calls) {
        return prefix + RATE + " " + calls;
    }

    private int calls(Duration length) {
        return calls(perSecond, length);
    }

    static int calls(int perSecond, Duration length) {
        return Math.toIntExact(perSecond * length.toSeconds());
    }
}
