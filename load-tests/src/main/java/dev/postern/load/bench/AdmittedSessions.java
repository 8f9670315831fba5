package dev.postern.load.bench;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.MetricsPage;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.RedisScripts;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.Redis;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.worker.AdmittedWorker;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.Worker;

/**
 * Measures how often a whole gateway queries Redis for sessions that it has admitted, by the counters of Redis. The
 * gateway renews passes in the background, so a request with a known pass causes no query.
 *
 * @param folder of the run
 */
record AdmittedSessions(RunFolder folder) {
    private static final String YAML = """
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

    private static final Goal PERCENT = Goal.atLeast(95);
    private static final int SESSIONS = 5;
    private static final int SECONDS = 20;
    private static final int EACH_PER_SECOND = 10;

    /** Measures and adds the rows to the table. */
    void addTo(Table table) {
        int port = Ports.free();
        int admin = Ports.free();
        Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, 128, false);
        Redis redis = Redis.start(folder, Cores.LOAD);
        String yaml = YAML.formatted(port, admin, redis.port(), origin.port(), SESSIONS);
        ServerProcess gateway = Postern.gateway(folder, "gateway", Cores.MEASURED, yaml, admin);
        Worker sessions = Worker.start(folder, Cores.LOAD, AdmittedWorker.class, port, SESSIONS);
        Progress.say("whole gateway: " + sessions.ask("admit") + ", asking for " + SECONDS + " s");
        int rate = SESSIONS * EACH_PER_SECOND;
        long scriptsBefore = RedisScripts.run(redis.port());
        double held = held(admin);
        Latencies seen =
                sessions.ask(rate + " " + rate * SECONDS, Latencies.class).withoutFailures();
        long scriptRuns = RedisScripts.run(redis.port()) - scriptsBefore;
        if (!gateway.alive()) {
            throw new IllegalStateException("gateway: ended by itself (expected: serves admitted sessions)");
        }
        table.goal(
                        "whole gateway: requests of admitted sessions without a query to Redis, percent",
                        100 - 100.0 * scriptRuns / seen.calls(),
                        PERCENT)
                .note(
                        "whole gateway: the same by its own meter, percent",
                        "%.1f".formatted(100 * (held(admin) - held) / seen.calls()));
    }

    /** Returns 0 before the first such decision. */
    private static double held(int admin) {
        double sum = MetricsPage.read(admin).sum("postern_room_decisions_total", "decision=\"held\"");
        return Double.isNaN(sum) ? 0 : sum;
    }
}
