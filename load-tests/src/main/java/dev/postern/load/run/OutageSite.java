package dev.postern.load.run;

import dev.postern.load.crowd.Origin;
import dev.postern.load.measure.Progress;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.Redis;
import dev.postern.load.server.RunFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Outage site: two gateways with one key ring in front of one origin, and the Redis that they share, which can be
 * frozen or killed.
 */
final class OutageSite {
    static final String CROWD = "room";
    static final int ACTIVE = 5;
    static final Duration PASS = Duration.ofSeconds(6);
    static final Duration IDLE = Duration.ofSeconds(3);

    private static final int GATEWAYS = 2;
    /** More than the sessions that may be active at once, so that no request waits at the origin. */
    private static final int WORKERS = 32;
    /** An active session sends ten requests in this time. */
    private static final Duration GAP = Duration.ofSeconds(1);

    private static final String YAML = """
        instance: {namespace: outage, replicas: %1$d}
        secrets: {ring-file: "%2$s"}
        listeners:
          - {name: web, address: "127.0.0.1:%3$d", mode: reverse}
        admin: {address: "127.0.0.1:%4$d"}
        log: {level: warn, successes: 0%%}
        privacy-pass: {ledger: {store: redis}}
        redis: {uri: "redis://127.0.0.1:%5$d"}
        upstreams:
          - {name: app, endpoints: ["127.0.0.1:%6$d"]}
        rate-limits:
          - name: room
            rate: 1/h
            burst: 0
            store: redis
            fair-queue: {active-sessions: %7$d, pass: %8$ds, idle: %9$ds, absence: 5s, per-session-rate: 0}
        routes:
          - {host: "*", path: /, upstream: app, token: off, rate-limit: room}
        """;

    private final RunFolder folder;
    private final List<Integer> ports = new ArrayList<>();
    private final Origin origin;
    private Redis redis;

    private OutageSite(RunFolder folder) {
        this.folder = folder;
        this.origin = Origin.start(folder, WORKERS, GAP, 1);
        this.redis = Redis.start(folder, Cores.ANY);
    }

    static OutageSite start(RunFolder folder) {
        Progress.say("starting origin, redis and two gateways; logs: " + folder + "; leak detection is off");
        OutageSite site = new OutageSite(folder);
        Path ring = folder.write("ring", Postern.secret() + "\n");
        for (int i = 0; i < GATEWAYS; i++) {
            site.startGateway("gateway-" + i, ring);
        }
        return site;
    }

    private void startGateway(String name, Path ring) {
        int port = Ports.free();
        int admin = Ports.free();
        String yaml = YAML.formatted(
                GATEWAYS, ring, port, admin, redis.port(), origin.port(), ACTIVE, PASS.toSeconds(), IDLE.toSeconds());
        Postern.gateway(folder, name, Cores.ANY, yaml, admin);
        ports.add(port);
    }

    List<Integer> ports() {
        return List.copyOf(ports);
    }

    Origin origin() {
        return origin;
    }

    /** Returns the Redis that runs now. */
    Redis redis() {
        return redis;
    }

    /** Starts an empty Redis on the port of the one that was killed. */
    void restartRedis() {
        redis = Redis.start(folder, Cores.ANY, redis.port());
    }
}
