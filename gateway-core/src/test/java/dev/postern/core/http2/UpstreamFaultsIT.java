package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.Http2Origin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Generates load on two HTTP/2 servers with few streams and small windows that refuse, send GOAWAY, reset, stall and drop connections; {@code
 * -Dchaos.seconds=60} makes it last longer.
 */
@Tag("faults")
@ExtendWith(LeakExtension.class)
class UpstreamFaultsIT {

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamFaultsIT.class);
    private static final int SECONDS = Integer.getInteger("chaos.seconds", 4);
    private static final int ENOUGH = 20;
    private static final int CLIENTS = 12;
    private static final int CONNECTIONS = 8;

    private final Http2Origin one = new Http2Origin();
    private final Http2Origin two = new Http2Origin();
    private CoreGateway gateway = start(Duration.ofSeconds(10));
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    private CoreGateway start(Duration patience) {
        return new CoreGateway(Setup.of(one.address(), two.address())
                .toHttp2(null)
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
    void noGetFailsWhenServersRefuseAndSendGoaway() throws Exception {
        one.refuses(true);
        two.refuses(true);
        SplittableRandom lots = new SplittableRandom(3);
        // Requests without bodies: a refused one is sent again, whatever its method.
        load("", () -> {
            (lots.nextBoolean() ? one : two).goaway();
            TimeUnit.MILLISECONDS.sleep(150);
        });
        LOG.info("leaving: {}", outcomes);
        assertThat(wrong).isEmpty();
        assertThat(outcomes).containsOnlyKeys("GET 200", "POST 200");
        assertThat(count("GET 200")).isGreaterThan(ENOUGH);
        assertNoPostTwice();
        awaitIdlePools();
    }

    @Test
    @Timeout(120)
    void noRequestIsExecutedTwice() throws Exception {
        gateway.close();
        gateway = start(Duration.ofMillis(500));
        for (Http2Origin origin : List.of(one, two)) {
            origin.refuses(true);
            origin.breaks(true);
        }
        SplittableRandom lots = new SplittableRandom(7);
        load("body", () -> {
            Http2Origin victim = lots.nextBoolean() ? one : two;
            if (lots.nextBoolean()) {
                victim.goaway();
            } else {
                victim.drop();
            }
            TimeUnit.MILLISECONDS.sleep(lots.nextInt(200));
        });
        LOG.info("broken: {}", outcomes);
        assertThat(wrong).isEmpty();
        assertThat(outcomes).containsKeys("GET 200", "POST 200");
        assertNoPostTwice();
        one.breaks(false);
        two.breaks(false);
        await().until(() -> status("/well") == 200);
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
        for (Http2Origin origin : List.of(one, two)) {
            assertThat(origin.posts().values()).allMatch(times -> times.get() == 1);
        }
        assertThat(one.posts().keySet()).doesNotContainAnyElementsOf(two.posts().keySet());
    }

    private void awaitIdlePools() {
        await().untilAsserted(() -> {
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

    private void load(String body, Fault fault) throws Exception {
        AtomicBoolean finished = new AtomicBoolean();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int visitor = i;
            all.add(clients.submit(() -> visit(visitor, body, finished)));
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        // On a busy machine few requests complete in that time, and only these are significant.
        while (System.nanoTime() < end || count("GET 200") <= ENOUGH || count("POST 200") == 0) {
            fault.make();
        }
        finished.set(true);
        for (Future<?> one : all) {
            one.get();
        }
    }

    private void visit(int visitor, String posted, AtomicBoolean finished) {
        SplittableRandom lots = new SplittableRandom(visitor);
        int requests = 0;
        while (!finished.get()) {
            try (RawClient client = new RawClient(gateway.port())) {
                while (!finished.get()) {
                    String path = (lots.nextInt(5) == 0 ? "/large-" : "/") + visitor + "-" + requests++;
                    ask(client, lots.nextInt(4) == 0 ? "POST" : "GET", path, posted);
                }
            } catch (IllegalStateException e) {
                outcomes.computeIfAbsent("cut off", o -> new LongAdder()).increment();
            }
        }
    }

    private void ask(RawClient client, String method, String path, String posted) {
        String body = method.equals("POST") ? "Content-Length: " + posted.length() + "\r\n\r\n" + posted : "\r\n";
        RawClient.Response response = client.send(method + " " + path + " HTTP/1.1\r\nHost: a.example\r\n" + body)
                .read();
        outcomes.computeIfAbsent(method + " " + response.status(), o -> new LongAdder())
                .increment();
        boolean right = response.status() == 200
                ? response.body().equals(Http2Origin.body(path))
                : response.status() >= 502 && response.status() <= 504;
        if (!right) {
            wrong.add(method + ' ' + path + ": " + response.status());
        }
    }
}
