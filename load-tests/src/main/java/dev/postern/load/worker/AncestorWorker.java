package dev.postern.load.worker;

import dev.postern.load.measure.RedisConnection;
import dev.postern.load.worker.RoomSessions.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Ancestor worker: sends the ancestor's commands to Redis, over each connection one command at a time, as the processes
 * of the ancestor's web server do. Argument: Redis' port. A question is {@code waiting} or {@code admitted}, the number
 * of connections, and the number of seconds; its response is {@link Decisions}.
 */
public final class AncestorWorker {
    private static final int SESSIONS = 1000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<RedisConnection> connections = new ArrayList<>();
    private final List<String> waiting = names("1");
    private final List<String> accepted = names("2");
    private final String first = names("0").get(0);
    private final int port;

    private AncestorWorker(int port) throws IOException {
        this.port = port;
        AncestorSequence joining = sequences(1).get(0);
        joining.join(first);
        for (String session : waiting) {
            joining.join(session);
        }
    }

    public static void main(String... arguments) throws IOException {
        AncestorWorker worker = new AncestorWorker(Integer.parseInt(arguments[0]));
        try {
            Worker.serve(question -> worker.response(question.split(" ")).line());
        } finally {
            worker.threads.shutdownNow();
        }
    }

    private Decisions response(String... words) {
        try {
            State state = State.valueOf(words[0].toUpperCase(Locale.ROOT));
            List<AncestorSequence> sequences = sequences(Integer.parseInt(words[1]));
            renew(sequences.get(0));
            long commandsBefore = commands();
            AtomicLong count = new AtomicLong();
            Cost cost = Cost.of(() -> {
                count.set(ask(state, sequences, Double.parseDouble(words[2])));
                return count.get();
            });
            return new Decisions(count.get(), commands() - commandsBefore, cost);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Renews all sessions, because they live for 20 seconds after their last request and other turns take place
     * meanwhile.
     */
    private void renew(AncestorSequence renewing) throws IOException {
        renewing.renew(first);
        for (String session : waiting) {
            renewing.renew(session);
        }
        for (String session : accepted) {
            renewing.accept(session);
        }
    }

    private long ask(State state, List<AncestorSequence> sequences, double seconds) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        List<Future<Long>> asking = sequences.stream()
                .map(sequence -> threads.submit(() -> ask(state, sequence, end)))
                .toList();
        long sum = 0;
        for (Future<Long> one : asking) {
            try {
                sum += one.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the ancestor's sequence: responses not as expected", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
        return sum;
    }

    private long ask(State state, AncestorSequence sequence, long end) throws IOException {
        Random random = new Random();
        long count = 0;
        while (System.nanoTime() < end) {
            int session = random.nextInt(SESSIONS);
            if (state == State.WAITING) {
                sequence.waiting(waiting.get(session));
            } else {
                // Every client has a key of its own, as the clients of the ancestor's experiment have.
                sequence.accepted(accepted.get(session), accepted.get(session));
            }
            count++;
        }
        return count;
    }

    private List<AncestorSequence> sequences(int count) throws IOException {
        while (connections.size() < count) {
            connections.add(new RedisConnection(port));
        }
        return connections.subList(0, count).stream()
                .map(connection -> new AncestorSequence(connection, Clock.systemDefaultZone()))
                .toList();
    }

    private long commands() {
        return connections.stream().mapToLong(RedisConnection::commands).sum();
    }

    /** Returns names of 32 hexadecimal digits, as the ancestor's cookies have. */
    private static List<String> names(String start) {
        return IntStream.range(0, SESSIONS)
                .mapToObj(i -> start + "%031x".formatted(i))
                .toList();
    }
}
