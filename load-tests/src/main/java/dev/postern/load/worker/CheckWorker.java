package dev.postern.load.worker;

import dev.postern.load.measure.SentSegments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Check worker: asks memcached for keys over a pool of blocking connections, each check over a connection of its own.
 * Argument: memcached's port. A question is {@code WAY CONNECTIONS RATE CALLS}, its response {@link Checks}.
 */
public final class CheckWorker {
    /** Checks over each new connection that do not count: at first, the kernel acknowledges without delay. */
    private static final int WARM_UP = 8;

    private final int port;

    private CheckWorker(int port) {
        this.port = port;
    }

    public static void main(String... arguments) throws IOException {
        CheckWorker worker = new CheckWorker(Integer.parseInt(arguments[0]));
        Worker.serve(question -> worker.response(question.split(" ")).line());
    }

    private Checks response(String... words) {
        Histogram versions = new ConcurrentHistogram(3);
        List<CheckConnection> pool = new ArrayList<>();
        try {
            int connections = Integer.parseInt(words[1]);
            for (int i = 0; i < connections; i++) {
                pool.add(new CheckConnection(port, WriteMode.valueOf(words[0]), i, versions));
            }
            warmUp(pool);
            versions.reset();
            long segments = SentSegments.to(port);
            OpenLoad load = new OpenLoad(Double.parseDouble(words[2]), Integer.parseInt(words[3]));
            int failed = load.run(pool).failed();
            segments = SentSegments.to(port) - segments;
            return new Checks(failed, segments, load.untilSend(), load.fromSend(), versions);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            pool.forEach(CheckWorker::close);
        }
    }

    /** Makes the same number of checks over each connection, all connections side by side. */
    private static void warmUp(List<CheckConnection> pool) {
        ExecutorService threads = Executors.newFixedThreadPool(pool.size());
        try {
            for (Future<Boolean> connection :
                    threads.invokeAll(pool.stream().map(CheckWorker::warmUp).toList())) {
                connection.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("memcached does not respond", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<Boolean> warmUp(CheckConnection connection) {
        return () -> {
            boolean good = true;
            for (int i = 0; i < WARM_UP; i++) {
                good &= connection.call();
            }
            return good;
        };
    }

    private static void close(CheckConnection connection) {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
