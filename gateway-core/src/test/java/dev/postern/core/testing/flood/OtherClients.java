package dev.postern.core.testing.flood;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

/** Clients that request a response now and then, over persistent and new connections, of both protocols. */
final class OtherClients implements AutoCloseable {

    private static final long PAUSE_MILLIS = 10;

    private final int port;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong responded = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong worstNanos = new AtomicLong();
    private final AtomicReference<String> firstFailure = new AtomicReference<>("");
    private volatile boolean going = true;

    OtherClients(int port) {
        this.port = port;
        start(this::kept);
        start(this::kept);
        start(this::fresh);
        start(this::streams);
    }

    private void start(Runnable task) {
        Thread thread = new Thread(task, "bystander");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void kept() {
        while (going) {
            try (RawClient client = new RawClient(port)) {
                while (going) {
                    timed(() -> status(client.get("/")));
                }
            } catch (RuntimeException e) {
                failed(e.toString());
            }
        }
    }

    private void fresh() {
        while (going) {
            try {
                timed(() -> {
                    try (RawClient client = new RawClient(port)) {
                        return status(client.get("/"));
                    }
                });
            } catch (RuntimeException e) {
                failed(e.toString());
            }
        }
    }

    private void streams() {
        while (going) {
            try (FrameClient client = FrameClient.connect(port)) {
                for (int id = 1; going && id < 2_000; id += 2) {
                    int stream = id;
                    timed(() -> Integer.parseInt(
                            client.get(stream, "/").response(stream).status()));
                    client.window(0, 5);
                }
            } catch (RuntimeException | AssertionError e) {
                failed(e.toString());
            }
        }
    }

    private int status(RawClient.Response response) {
        if (response.status() != 200) {
            firstFailure.compareAndSet("", response.status() + " " + response.body());
        }
        return response.status();
    }

    private void timed(IntSupplier request) {
        long began = System.nanoTime();
        int status = request.getAsInt();
        long took = System.nanoTime() - began;
        worstNanos.accumulateAndGet(took, Math::max);
        responded.incrementAndGet();
        if (status != 200) {
            failed("status " + status);
        }
        pause();
    }

    private void failed(String reason) {
        failed.incrementAndGet();
        firstFailure.compareAndSet("", reason);
        pause();
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    long responded() {
        return responded.get();
    }

    long failures() {
        return failed.get();
    }

    /** Returns the first failure; empty when there is none. */
    String firstFailure() {
        String first = firstFailure.get();
        return first == null ? "" : first;
    }

    double worstSeconds() {
        return worstNanos.get() / 1e9;
    }

    @Override
    public void close() {
        going = false;
        for (Thread thread : threads) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(30));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
