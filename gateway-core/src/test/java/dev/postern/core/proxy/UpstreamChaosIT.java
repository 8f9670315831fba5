package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.FaultyOrigin;
import dev.postern.core.testing.FaultyOrigin.Mood;
import dev.postern.core.testing.RawClient;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.time.Duration;
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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Generates load on two servers that close, truncate, stall, and are killed; {@code -Dchaos.seconds=60} makes it last longer. */
@Tag("faults")
class UpstreamChaosIT {

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamChaosIT.class);
    private static final int SECONDS = Integer.getInteger("chaos.seconds", 4);
    private static final int ENOUGH = 100;
    private static final int CLIENTS = 8;
    private static final int CONNECTIONS = 6;

    private final FaultyOrigin one = new FaultyOrigin(1);
    private final FaultyOrigin two = new FaultyOrigin(1_000_000);
    private CoreGateway gateway = start(Duration.ofSeconds(30));
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    private CoreGateway start(Duration patience) {
        return new CoreGateway(CoreGateway.Setup.of(one.address(), two.address())
                .loops(2)
                .firstByte(patience)
                .idle(patience)
                .pool(new UpstreamSettings.Pool(
                        true, CONNECTIONS, 1024, Duration.ofSeconds(55), true, Duration.ofMinutes(10), 0, 100)));
    }

    @AfterEach
    void close() {
        clients.shutdownNow();
        gateway.close();
        one.close();
        two.close();
    }

    @Test
    @Timeout(120)
    void noGetFailsWhenServersCloseIdleConnections() throws Exception {
        one.mood(Mood.CLOSES_UNUSED);
        two.mood(Mood.CLOSES_UNUSED);
        load(() -> {});
        LOG.info("closing: {}", outcomes);
        assertThat(wrong).isEmpty();
        assertThat(outcomes).doesNotContainKey("cut off");
        assertThat(outcomes.keySet().stream().filter(o -> o.startsWith("GET"))).containsExactly("GET 200");
        assertThat(count("GET 200")).isGreaterThan(ENOUGH);
        assertNoPostTwice();
        awaitIdlePools();
    }

    @Test
    @Timeout(120)
    void noPostIsSentTwice() throws Exception {
        gateway.close();
        gateway = start(Duration.ofMillis(500));
        one.mood(Mood.BROKEN);
        two.mood(Mood.BROKEN);
        SplittableRandom lots = new SplittableRandom(7);
        load(() -> {
            FaultyOrigin victim = lots.nextBoolean() ? one : two;
            victim.kill();
            Thread.sleep(lots.nextInt(300));
            victim.start();
            Thread.sleep(lots.nextInt(300));
        });
        LOG.info("broken: {}", outcomes);
        assertThat(wrong).isEmpty();
        assertThat(outcomes).containsKeys("GET 200", "POST 200");
        assertNoPostTwice();
        one.mood(Mood.WELL);
        two.mood(Mood.WELL);
        Awaitility.await().until(() -> status("/well") == 200);
        awaitIdlePools();
    }

    private int status(String path) {
        try (RawClient client = new RawClient(gateway.port())) {
            return client.get(path).status();
        }
    }

    private long count(String outcome) {
        return outcomes.getOrDefault(outcome, new LongAdder()).sum();
    }

    private void assertNoPostTwice() {
        for (FaultyOrigin origin : List.of(one, two)) {
            assertThat(origin.posts().values()).allMatch(times -> times.get() == 1);
        }
        assertThat(one.posts().keySet()).doesNotContainAnyElementsOf(two.posts().keySet());
    }

    private void awaitIdlePools() {
        Awaitility.await().untilAsserted(() -> {
            assertThat(gateway.gauge("postern.upstream.connections", "state", "open"))
                    .isEqualTo(gateway.upstream().idle())
                    .isLessThanOrEqualTo(CONNECTIONS);
            assertThat(gateway.gauge("postern.upstream.connections", "state", "pending"))
                    .isZero();
        });
    }

    /** Fault that is injected repeatedly. */
    private interface Fault {

        void make() throws InterruptedException;
    }

    private void load(Fault fault) throws Exception {
        AtomicBoolean finished = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(CLIENTS);
        List<Future<?>> all = IntStream.range(0, CLIENTS)
                .<Future<?>>mapToObj(i -> clients.submit(() -> visit(i, begun, finished)))
                .toList();
        begun.await();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        // On a busy machine few requests complete in that time, and only these are significant.
        while (System.nanoTime() < end || count("GET 200") <= ENOUGH || count("POST 200") == 0) {
            fault.make();
            TimeUnit.MILLISECONDS.sleep(10);
        }
        finished.set(true);
        for (Future<?> one : all) {
            one.get();
        }
    }

    /** Connects one client after the other for a visitor; a connection is used until it ends. */
    private void visit(int visitor, CountDownLatch begun, AtomicBoolean finished) {
        SplittableRandom lots = new SplittableRandom(visitor);
        begun.countDown();
        int requests = 0;
        while (!finished.get()) {
            try (RawClient client = new RawClient(gateway.port())) {
                while (!finished.get()) {
                    String path = (lots.nextInt(5) == 0 ? "/large-" : "/") + visitor + "-" + requests++;
                    ask(client, lots.nextInt(4) == 0 ? "POST" : "GET", path);
                }
            } catch (IllegalStateException e) {
                outcomes.computeIfAbsent("cut off", o -> new LongAdder()).increment();
            }
        }
    }

    private void ask(RawClient client, String method, String path) {
        String body = method.equals("POST") ? "Content-Length: 4\r\n\r\nbody" : "\r\n";
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
}
