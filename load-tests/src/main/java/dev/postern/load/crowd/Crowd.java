package dev.postern.load.crowd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Crowd of clients, each on a thread of its own; a run returns when the last client is done. */
public final class Crowd {
    private Crowd() {}

    /** Client of a crowd. */
    @FunctionalInterface
    public interface Client {
        void run() throws InterruptedException;
    }

    /** @param client creates the client of a number, from 0 */
    public static void run(int size, IntFunction<Client> client) {
        ExecutorService threads = Executors.newFixedThreadPool(size);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                Client one = client.apply(i);
                running.add(threads.submit(() -> {
                    one.run();
                    return size;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client failed", e);
        } finally {
            threads.shutdownNow();
        }
    }

    static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }
}
