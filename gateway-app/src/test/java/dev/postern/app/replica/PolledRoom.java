package dev.postern.app.replica;

import dev.postern.app.replica.GatewayProcess.Launch;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room of gateway processes before an origin, with clients that arrive in order, poll, use their pass and leave. A test adds the fault.
 */
final class PolledRoom implements AutoCloseable {

    /** Stores of the room. */
    static final String REDIS = "redis";

    static final String MEMORY = "embedded";

    private static final Logger LOG = LoggerFactory.getLogger(PolledRoom.class);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path folder;
    private final Path ring;
    private final Rules rules;
    private final String redis;
    private final Launch launch;
    private final TestOrigin origin = new TestOrigin();
    private final RoomClients clients;

    /**
     * Rules of the room.
     *
     * @param active maximum number of sessions
     * @param tolerated milliseconds of silence after which a client is not judged, since it may have lost its place
     * @param usedMillis time for which clients use their pass, about
     * @param idleMillis silence that ends a pass
     */
    record Rules(int active, int passMillis, int absenceMillis, int tolerated, int usedMillis, int idleMillis) {

        private static final int IDLE = 1_000;

        /** Clients use their pass until it ends. */
        Rules(int active, int passMillis, int absenceMillis, int tolerated) {
            this(active, passMillis, absenceMillis, tolerated, passMillis, IDLE);
        }

        String limit() {
            return "rate: 1/h, burst: 0, fair-queue: {active-sessions: " + active + ", pass: " + passMillis
                    + "ms, idle: " + idleMillis + "ms, absence: " + absenceMillis + "ms}";
        }
    }

    /**
     * What happened to the clients.
     *
     * @param order numbers of the clients in the order in which they were first admitted, without absent ones
     * @param absent clients that may have lost their place because this machine was busy
     * @param tau Kendall's tau of the orders of arrival and admission
     * @param overtakers maximum number of clients that were admitted before one that had arrived earlier
     * @param kept part of the requests with live passes that were served
     * @param peak maximum number of sessions at any time
     */
    record Outcome(List<Integer> order, int absent, double tau, int overtakers, double kept, int peak) {}

    /** @param redis address of the store, if gateways use it */
    PolledRoom(Path folder, Rules rules, String redis, Launch launch) throws IOException {
        this.folder = folder;
        this.ring = Replicas.ring(folder);
        this.rules = rules;
        this.redis = redis;
        this.launch = launch;
        this.clients = new RoomClients(rules.usedMillis, rules.idleMillis, rules.tolerated);
        origin.behave(TestOrigin.Behaviour.ok("served"));
    }

    /** Starts one of {@code replicas} gateways and waits until it is ready. */
    GatewayProcess gateway(String name, String store, int replicas) throws IOException {
        return gateway(name, store, replicas, rules.limit());
    }

    /** @param limit further keys of the rate limit, in place of those of the room */
    GatewayProcess gateway(String name, String store, int replicas, String limit) throws IOException {
        String yaml = """
                instance: {namespace: polled, replicas: %d}
                secrets: {ring-file: "%s"}
                listeners:
                  - {name: web, address: "127.0.0.1:{port}", congestion-control: reno}
                admin: {address: "127.0.0.1:{admin}"}
                lifecycle: {drain-delay: 0s, drain-timeout: 5s}
                overload: {loop-lag: {shed-above: 0}}
                redis: {uri: "redis://%s", deadline: 500ms}
                rate-limits:
                  - {name: site, store: %s, %s}
                upstreams:
                  - {name: app, endpoints: ["%s"], congestion-control: reno}
                routes:
                  - {upstream: app, token: off, rate-limit: site}
                """.formatted(replicas, ring, redis, store, limit, origin.address());
        return new GatewayProcess(folder, name, yaml, launch).awaitReady();
    }

    /**
     * Sends a request to each of these gateways in turn, until all are served: the first uses up the rate, each other one gets a pass, after
     * which its gateway has the state of the room.
     */
    void open(GatewayProcess... inTurn) {
        Awaitility.await().until(() -> Stream.of(inTurn).allMatch(PolledRoom::served));
    }

    private static boolean served(GatewayProcess gateway) {
        try (RawClient client = new RawClient(gateway.port())) {
            return client.get("/base").status() == 200;
        }
    }

    /** Lets clients arrive one after the other, at the gateways in turn. */
    void arrive(int people, GatewayProcess... gateways) {
        for (int i = 0; i < people; i++) {
            clients.arrive(gateways[i % gateways.length].port());
        }
    }

    void awaitServed(int people) {
        Awaitility.await().atMost(PATIENCE).until(() -> clients.admitted() >= people);
    }

    /** Returns after so much time, in which the fault of the test lasts: its duration is the subject. */
    static void last(Duration fault) {
        long end = System.nanoTime() + fault.toNanos();
        Awaitility.await().atMost(fault.plus(PATIENCE)).until(() -> System.nanoTime() - end > 0);
    }

    /** Waits until all clients have left. */
    Outcome outcome(String fault) {
        Awaitility.await().atMost(PATIENCE).until(clients::allLeft);
        Outcome outcome = new Outcome(
                clients.served(),
                clients.absent(),
                clients.tau(rules.active),
                clients.overtakers(),
                clients.kept(),
                clients.peak());
        LOG.info("{}: {}", fault, outcome);
        return outcome;
    }

    @Override
    public void close() {
        try {
            clients.disperse();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        origin.close();
    }
}
