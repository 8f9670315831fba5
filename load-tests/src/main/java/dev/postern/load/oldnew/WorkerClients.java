package dev.postern.load.oldnew;

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
record WorkerClients(Worker worker, int perSecond, List<String> warmUps, String kind) implements Clients {
    private static final int RATE = 1_000_000;

    @Override
    public void warmUp(Duration length) {
        warmUps.forEach(prefix -> worker.ask(question(prefix, calls(length) / warmUps.size())));
    }

    @Override
    public Served send(Duration length) {
        Latencies latencies = Latencies.parse(worker.ask(question(kind, calls(length))));
        if (latencies.failed() > 0) {
            throw new IllegalStateException(
                    latencies.failed() + " of " + latencies.calls() + " requests failed (expected: none)");
        }
        return new Served(latencies.calls(), latencies.sentP50());
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
