package dev.postern.load.run;

import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.Redis;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.util.List;
import java.util.Map;

/** Whole pages with the fair queue and with a plain limit, on both engines, counted by Gatling and by the origin's access log. */
record WaitingRoomRun(RunFolder folder, Gatling gatling) {
    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:%1$d", mode: reverse}
            admin: {address: "127.0.0.1:%2$d"}
            log: {level: warn, successes: 0%%}
            redis: {uri: "redis://127.0.0.1:%3$d"}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%4$d"]}
            rate-limits:
              - {name: plain-embedded, rate: 10/s, burst: 10, store: embedded}
              - {name: plain-redis, rate: 10/s, burst: 10, store: redis}
              - name: queue-embedded
                rate: 10/s
                burst: 10
                store: embedded
                fair-queue: {active-sessions: 5, pass: 60s, idle: 2s, absence: 20s}
              - name: queue-redis
                rate: 10/s
                burst: 10
                store: redis
                fair-queue: {active-sessions: 5, pass: 60s, idle: 2s, absence: 20s}
            routes:
              - {host: "*", path: /plain-embedded, upstream: app, token: off, rate-limit: plain-embedded}
              - {host: "*", path: /plain-redis, upstream: app, token: off, rate-limit: plain-redis}
              - {host: "*", path: /queue-embedded, upstream: app, token: off, rate-limit: queue-embedded}
              - {host: "*", path: /queue-redis, upstream: app, token: off, rate-limit: queue-redis}
            """;

    Table run(Map<String, String> parameters) {
        Progress.say("starting nginx, redis and gateway; logs: " + folder + "; leak detection is off");
        int port = Ports.free();
        int admin = Ports.free();
        try (Nginx origin = Nginx.origin(folder, "origin", Cores.ANY, 128, true);
                Redis redis = Redis.start(folder, Cores.ANY);
                ServerProcess gateway = Postern.gateway(
                        folder,
                        "gateway",
                        Cores.ANY,
                        YAML.formatted(port, admin, redis.port(), origin.port()),
                        admin)) {
            int status = gatling.run("WaitingRoom", Map.of("gateway.url", "http://127.0.0.1:" + port));
            Progress.say("gateway used " + gateway.cpu().toMillis() + " ms of CPU time");
            return tell(origin.visits(), parameters)
                    .verdict("Gatling's assertions", "status " + status, "status 0", status == 0);
        }
    }

    private static Table tell(List<String> visits, Map<String, String> parameters) {
        int browsers = Integer.parseInt(parameters.getOrDefault("browsers", "20"));
        int assets = Integer.parseInt(parameters.getOrDefault("assets", "20"));
        int mostWithout = Integer.parseInt(parameters.getOrDefault("mostWithout", "2"));
        Table table = new Table();
        for (String engine : List.of("embedded", "redis")) {
            long with = Visits.wholePages(visits, "queue-" + engine, assets);
            long without = Visits.wholePages(visits, "plain-" + engine, assets);
            table.verdict(
                            "whole pages, fair queue, " + engine,
                            with + " of " + browsers,
                            browsers + " of " + browsers,
                            with == browsers)
                    .verdict(
                            "whole pages, plain limit, " + engine,
                            without + " of " + browsers,
                            "<= " + mostWithout,
                            without <= mostWithout)
                    .note(
                            "requests that reached the origin, " + engine + ": queue, plain",
                            Visits.of(visits, "queue-" + engine) + ", " + Visits.of(visits, "plain-" + engine));
        }
        return table;
    }
}
