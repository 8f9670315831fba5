package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.reload.NamedOrigin;
import dev.postern.app.reload.PersistentClients;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests two replicas that are restarted one after the other under load, behind a load balancer that sends requests only to ready replicas.
 * {@code -Dchaos.seconds=60} runs more than one round.
 */
@Tag("faults")
@Tag("long")
class RollingRestartIT {

    private static final Logger LOG = LoggerFactory.getLogger(RollingRestartIT.class);
    private static final int SECONDS = Integer.getInteger("chaos.seconds", 1);
    private static final int PROBED_EVERY_MILLIS = 50;

    @TempDir
    private Path folder;

    private final NamedOrigin origin = new NamedOrigin("site");
    private final List<GatewayProcess> replicas = new CopyOnWriteArrayList<>();
    private final Thread balancer = new Thread(this::probe, "balancer");
    private volatile int[] ready = {};
    private int started;

    @BeforeEach
    void start() throws IOException {
        replicas.add(replica());
        replicas.add(replica());
        replicas.forEach(GatewayProcess::awaitReady);
        balancer.setDaemon(true);
        balancer.start();
        Awaitility.await().until(() -> ready.length == 2);
    }

    @AfterEach
    void stop() throws InterruptedException {
        balancer.interrupt();
        balancer.join();
        replicas.forEach(GatewayProcess::close);
        origin.close();
    }

    private GatewayProcess replica() throws IOException {
        return new GatewayProcess("replica-" + started++, """
                lifecycle: {drain-delay: 1s, drain-timeout: 10s}
                transport: {event-loops: 1}
                upstreams:
                  - {name: app, congestion-control: reno, endpoints: ["%s"]}
                routes:
                  - {upstream: app, token: off}
                """.formatted(origin.address()), folder);
    }

    private void probe() {
        while (!Thread.currentThread().isInterrupted()) {
            ready = replicas.stream()
                    .filter(RollingRestartIT::isReady)
                    .mapToInt(GatewayProcess::port)
                    .toArray();
            try {
                TimeUnit.MILLISECONDS.sleep(PROBED_EVERY_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static boolean isReady(GatewayProcess replica) {
        try (RawClient client = new RawClient(replica.admin())) {
            return client.send("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                            .read()
                            .status()
                    == 200;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Returns the previous replica of the caller while that is ready. */
    private int target(ThreadLocal<Integer> previous) {
        int[] now = ready;
        Integer last = previous.get();
        if (last != null && IntStream.of(now).anyMatch(port -> port == last)) {
            return last;
        }
        int port = now[ThreadLocalRandom.current().nextInt(now.length)];
        previous.set(port);
        return port;
    }

    @Test
    void noRequestFails() throws Exception {
        ThreadLocal<Integer> previous = new ThreadLocal<>();
        int restarts = 0;
        try (PersistentClients clients = new PersistentClients(() -> target(previous), 6, 3)) {
            clients.awaitMore(200);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            do {
                for (int i = 0; i < replicas.size(); i++) {
                    GatewayProcess old = replicas.get(i);
                    old.terminate();
                    assertThat(old.exitValue()).as(old.log()).isZero();
                    replicas.set(i, replica().awaitReady());
                    restarts++;
                    Awaitility.await().until(() -> ready.length == 2);
                    clients.awaitMore(200);
                }
            } while (System.nanoTime() < end && clients.failures().isEmpty());
            clients.disperse();
            LOG.info(
                    "{} restarts, {} responses over {} connections",
                    restarts,
                    clients.responses(),
                    clients.connections());
            assertThat(clients.failures()).isEmpty();
        }
    }

    @Test
    void sighupAppliesAChangedFile() throws Exception {
        GatewayProcess replica = replicas.get(0);
        try (NamedOrigin other = new NamedOrigin("other");
                RawClient client = new RawClient(replica.port())) {
            assertThat(client.get("/").body()).isEqualTo("site");
            replica.rewrite(text -> text.replace(origin.address(), other.address()));
            replica.hangUp();
            Awaitility.await().until(() -> client.get("/").body().equals("other"));
            // The first exchange with the new rules may end before the reload is logged.
            Awaitility.await().until(() -> replica.log().contains("in force now, changed: [upstreams.app.endpoints]"));
            replica.rewrite(text -> text.replace("token: off", "token: sometimes"));
            replica.hangUp();
            Awaitility.await().until(() -> replica.log().contains("not taken"));
            assertThat(replica.log()).contains("routes.0.token: ").contains(".yaml:10:");
            assertThat(client.get("/").body()).isEqualTo("other");
        }
    }
}
