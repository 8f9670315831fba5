package dev.postern.load.stages;

import dev.postern.load.measure.Progress;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Memcached;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.Redis;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.server.Started;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Stage site: two gateways that differ in their ledger alone, with a path for each set of stages, and the servers that
 * they need. Both share the measured core; the gateway without requests uses no CPU time.
 */
final class StageSite implements AutoCloseable {
    static final int BODY = 128;
    static final String OPEN = "/open";
    static final String TOKEN = "/token";
    static final String ROOM = "/room";
    /** Path with the same waiting room and without a token. */
    static final String LOBBY = "/lobby";

    /** Client in which each event loop talks to memcached itself, so that only the gateway's own work is measured. */
    static final String CLIENT = "netty";

    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final String EMBEDDED = "{store: embedded}";
    private static final String REMOTE =
            "{store: memcached, deadline: 5s, memcached: {servers: [\"127.0.0.1:%d\"], client: " + CLIENT + "}}";

    /**
     * Deadlines that are never exceeded, and a waiting room whose rate is never used up: each request asks for one
     * decision and passes.
     */
    private static final String YAML = """
            transport: {event-loops: 1}
            listeners:
              - {name: web, address: "127.0.0.1:%1$d", mode: reverse}
            admin: {address: "127.0.0.1:%2$d"}
            limits: {keep-alive-timeout: 1h}
            log: {level: warn, successes: 0%%}
            privacy-pass:
              origin-names: [gateway.example]
              challenge-window: 1h
              issuers:
                - {name: "127.0.0.1:%3$d", directory: "http://127.0.0.1:%3$d/.well-known/private-token-issuer-directory"}
              ledger: %4$s
            redis: {uri: "redis://127.0.0.1:%5$d", deadline: 5s}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%6$d"]}
            rate-limits:
              - {name: site, rate: 1000000/s, burst: 1000000, store: redis, fair-queue: {}}
            routes:
              - {host: "*", path: /open, upstream: app, token: off}
              - {host: "*", path: /token, upstream: app, token: required}
              - {host: "*", path: /room, upstream: app, token: required, rate-limit: site}
              - {host: "*", path: /lobby, upstream: app, token: off, rate-limit: site}
            """;

    private final Started started = new Started();
    private final RunFolder folder;
    private final Map<String, String> environment;
    private final Memcached memcached;
    private final Redis redis;
    private final Gateway remote;
    private final Gateway embedded;

    /** A running gateway. */
    record Gateway(String name, ServerProcess process, int port, int adminPort) {}

    private StageSite(RunFolder folder, Duration warmUp) {
        this.folder = folder;
        this.environment = Map.of("POSTERN_LIFECYCLE_WARM_UP", warmUp.toSeconds() + "s");
        try {
            Progress.say("starting nginx, memcached, redis, issuer and two gateways; logs: " + folder);
            Nginx origin = started.add(Nginx.origin(folder, "origin", Cores.LOAD, BODY, false));
            memcached = started.add(Memcached.start(folder, Cores.LOAD));
            redis = started.add(Redis.start(folder, Cores.LOAD));
            int issuer = Ports.free();
            started.add(
                    Postern.server(folder, "issuer", Cores.ANY, issuer, "issuer", "--address", "127.0.0.1:" + issuer));
            remote = gateway("remote", REMOTE.formatted(memcached.port()), issuer, origin.port());
            embedded = gateway("embedded", EMBEDDED, issuer, origin.port());
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts the gateways.
     *
     * @param warmUp time of the gateways' own warm-up
     */
    static StageSite start(RunFolder folder, Duration warmUp) {
        return new StageSite(folder, warmUp);
    }

    private Gateway gateway(String name, String ledger, int issuer, int origin) {
        int port = Ports.free();
        int admin = Ports.free();
        String yaml = YAML.formatted(port, admin, issuer, ledger, redis.port(), origin);
        ServerProcess process = Postern.gateway(folder, name, Cores.MEASURED, yaml, admin, environment);
        started.add(process);
        return new Gateway(name, process, port, admin);
    }

    /** Mints the given number of tokens for a path of a gateway into a file, one a line. */
    Path mint(Gateway gateway, String path, int tokens) {
        String name = "mint-" + gateway.name + path.replace('/', '-');
        Path file = folder.file(name + ".txt");
        Progress.say("minting %,d tokens for %s of the gateway '%s'".formatted(tokens, path, gateway.name));
        String url = "http://127.0.0.1:" + gateway.port + path;
        Postern.call(folder, name, PATIENCE, "mint", url, "-n", String.valueOf(tokens), "-o", file.toString());
        return file;
    }

    RunFolder folder() {
        return folder;
    }

    int memcachedPort() {
        return memcached.port();
    }

    int redisPort() {
        return redis.port();
    }

    /** Returns the gateway whose ledger is memcached. */
    Gateway remote() {
        return remote;
    }

    /** Returns the gateway whose ledger is its own memory. */
    Gateway embedded() {
        return embedded;
    }

    @Override
    public void close() {
        started.close();
    }
}
