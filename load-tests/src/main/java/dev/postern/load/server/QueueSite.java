package dev.postern.load.server;

import dev.postern.load.worker.AdmittedWorker;
import dev.postern.load.worker.Worker;

/** Site with a fair queue in Redis: nginx as upstream, the gateway with a core for itself, and a worker with one session per free slot. */
public final class QueueSite implements AutoCloseable {
    private static final String YAML = """
            transport: {event-loops: %6$d}
            listeners:
              - {name: web, address: "127.0.0.1:%1$d", mode: reverse}
            admin: {address: "127.0.0.1:%2$d"}
            log: {level: warn, successes: 0%%}
            redis: {uri: "redis://127.0.0.1:%3$d"}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%4$d"]}
            rate-limits:
              - {name: queue, rate: 1/h, burst: 0, store: redis, fair-queue: {active-sessions: %5$d}}
            routes:
              - {host: "*", path: /, upstream: app, token: off, rate-limit: queue}
            """;

    private final Started started = new Started();
    private final Redis redis;
    private final ServerProcess gateway;
    private final Worker sessions;
    private final int adminPort = Ports.free();

    /** @param eventLoops of the gateway; 0 for its default */
    public QueueSite(RunFolder folder, int count, int eventLoops) {
        int port = Ports.free();
        try {
            Nginx origin = started.add(Nginx.origin(folder, "origin", Cores.LOAD, 128, false));
            redis = started.add(Redis.start(folder, Cores.LOAD));
            String yaml = YAML.formatted(port, adminPort, redis.port(), origin.port(), count, eventLoops);
            gateway = started.add(Postern.gateway(folder, "gateway", Cores.MEASURED, yaml, adminPort));
            sessions = started.add(Worker.start(
                    folder, Cores.LOAD, AdmittedWorker.class, String.valueOf(port), String.valueOf(count)));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    public Redis redis() {
        return redis;
    }

    public ServerProcess gateway() {
        return gateway;
    }

    /** Returns the worker whose sessions enter at {@code admit} and send requests at {@code RATE CALLS}. */
    public Worker sessions() {
        return sessions;
    }

    public int adminPort() {
        return adminPort;
    }

    @Override
    public void close() {
        started.close();
    }
}
