package dev.postern.load.run;

import dev.postern.load.measure.Progress;
import dev.postern.load.origin.Origin;
import dev.postern.load.run.RoomRule.Act;
import dev.postern.load.run.RoomRule.Engine;
import dev.postern.load.run.RoomRule.Form;
import dev.postern.load.run.RoomRule.Kind;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.Redis;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Room site: a gateway with all rules of the run, an origin of bounded capacity for each engine, Redis, and nginx with
 * the same limit as a peer.
 *
 * @param port the gateway's
 */
record RoomSite(RunFolder folder, int port, Map<Engine, Origin> origins, Nginx peer, List<Runnable> open)
        implements AutoCloseable {
    static final int WORKERS = 8;

    private static final Duration GAP = Duration.ofSeconds(2);
    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:%1$d", mode: reverse}
            admin: {address: "127.0.0.1:%2$d"}
            log: {level: warn, successes: 0%%}
            redis: {uri: "redis://127.0.0.1:%3$d"}
            upstreams:
              - {name: embedded, endpoints: ["127.0.0.1:%4$d"]}
              - {name: redis, endpoints: ["127.0.0.1:%5$d"]}
            """;

    /** @param parts of a whole page */
    static RoomSite start(RunFolder folder, int parts) {
        Progress.say("starting origins, nginx, redis and gateway; logs: " + folder + "; leak detection is off");
        List<Runnable> open = new ArrayList<>();
        Map<Engine, Origin> origins = new EnumMap<>(Engine.class);
        for (Engine engine : Engine.values()) {
            Origin origin = Origin.start(folder, "origin-" + engine.word(), WORKERS, GAP, parts);
            open.add(origin::close);
            origins.put(engine, origin);
        }
        int behindPeer = origin(origins, Engine.EMBEDDED).port();
        Nginx peer = Nginx.limiting(folder, "nginx", Cores.ANY, behindPeer, 10);
        open.add(peer::close);
        Redis redis = Redis.start(folder, Cores.ANY);
        open.add(redis::close);
        int port = Ports.free();
        int admin = Ports.free();
        String yaml = YAML.formatted(
                port,
                admin,
                redis.port(),
                behindPeer,
                origin(origins, Engine.REDIS).port());
        ServerProcess gateway = Postern.gateway(folder, "gateway", Cores.ANY, yaml + rules(), admin);
        open.add(gateway::close);
        return new RoomSite(folder, port, origins, peer, open);
    }

    Origin origin(Engine engine) {
        return origin(origins, engine);
    }

    private static Origin origin(Map<Engine, Origin> origins, Engine engine) {
        Origin origin = origins.get(engine);
        if (origin == null) {
            throw new IllegalStateException("origin: none for " + engine);
        }
        return origin;
    }

    private static String rules() {
        StringBuilder limits = new StringBuilder("rate-limits:\n");
        StringBuilder routes = new StringBuilder("routes:\n");
        for (Act act : Act.values()) {
            for (Form form : Form.values()) {
                for (Kind kind : Kind.values()) {
                    for (Engine engine : Engine.values()) {
                        RoomRule rule = new RoomRule(act, form, kind, engine);
                        limits.append(rule.limitYaml());
                        routes.append(rule.routeYaml());
                    }
                }
            }
        }
        return limits.append(routes).toString();
    }

    @Override
    public void close() {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).run();
        }
    }
}
