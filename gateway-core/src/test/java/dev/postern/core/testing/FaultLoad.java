package dev.postern.core.testing;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Load of clients that send GETs and POSTs over connections of their own, each used until it ends, while faults are injected. It lasts a few
 * seconds, and longer on a busy machine; {@code -Dchaos.seconds=60} makes it last longer.
 */
public final class FaultLoad implements AutoCloseable {

    private static final int SECONDS = Integer.getInteger("chaos.seconds", 4);
    private static final int CLIENTS = 12;

    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    /** Fault that is injected repeatedly. */
    @FunctionalInterface
    public interface Fault {

        void inject() throws InterruptedException;
    }

    /**
     * Runs until enough GETs succeeded.
     *
     * @param posted body of each POST
     */
    public void run(int port, String posted, int enough, Fault fault) throws Exception {
        AtomicBoolean finished = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(CLIENTS);
        List<Future<?>> all = IntStream.range(0, CLIENTS)
                .<Future<?>>mapToObj(i -> clients.submit(() -> {
                    begun.countDown();
                    sendRequests(port, i, posted, finished);
                }))
                .toList();
        begun.await();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        // On a busy machine few requests complete in that time, and only these are significant.
        while (System.nanoTime() < end || count("GET 200") <= enough || count("POST 200") == 0) {
            fault.inject();
            TimeUnit.MILLISECONDS.sleep(10);
        }
        finished.set(true);
        for (Future<?> one : all) {
            one.get();
        }
    }

    /** Returns how often each outcome occurred: method and status, or {@code cut off}. */
    public Map<String, LongAdder> outcomes() {
        return outcomes;
    }

    /** Returns requests with a status or body that no fault explains. */
    public Queue<String> wrong() {
        return wrong;
    }

    public long count(String outcome) {
        return outcomes.getOrDefault(outcome, new LongAdder()).sum();
    }

    private void sendRequests(int port, int number, String posted, AtomicBoolean finished) {
        SplittableRandom lots = new SplittableRandom(number);
        int requests = 0;
        while (!finished.get()) {
            try (RawClient client = new RawClient(port)) {
                while (!finished.get()) {
                    String path = (lots.nextInt(5) == 0 ? "/large-" : "/") + number + "-" + requests++;
                    send(client, lots.nextInt(4) == 0 ? "POST" : "GET", path, posted);
                }
            } catch (IllegalStateException e) {
                outcomes.computeIfAbsent("cut off", o -> new LongAdder()).increment();
            }
        }
    }

    private void send(RawClient client, String method, String path, String posted) {
        String body = method.equals("POST") ? "Content-Length: " + posted.length() + "\r\n\r\n" + posted : "\r\n";
        RawClient.Response response = client.send(method + " " + path + " HTTP/1.1\r\nHost: a.example\r\n" + body)
                .read();
        String whole = FaultyOrigin.body(path);
        if (response.status() == 200
                && response.body().length() < whole.length()
                && whole.startsWith(response.body())) {
            throw new IllegalStateException("broken off"); // the connection ended, which the client notices
        }
        outcomes.computeIfAbsent(method + " " + response.status(), o -> new LongAdder())
                .increment();
        boolean right = response.status() == 200
                ? response.body().equals(whole)
                : response.status() >= 502 && response.status() <= 504;
        if (!right) {
            wrong.add(method + ' ' + path + ": " + response.status());
        }
    }

    @Override
    public void close() {
        clients.shutdownNow();
    }
}
