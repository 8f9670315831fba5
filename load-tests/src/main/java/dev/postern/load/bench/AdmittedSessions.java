package dev.postern.load.bench;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.MetricsPage;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.RedisScripts;
import dev.postern.load.measure.Table;
import dev.postern.load.server.QueueSite;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.Worker;

/**
 * Measures how often a whole gateway queries Redis for sessions that it has admitted, by the counters of Redis. The
 * gateway renews passes in the background, so a request with a known pass causes no query.
 *
 * @param folder of the run
 */
record AdmittedSessions(RunFolder folder) {
    private static final Goal PERCENT = Goal.atLeast(95);
    private static final int SESSIONS = 5;
    private static final int SECONDS = 20;
    private static final int EACH_PER_SECOND = 10;

    /** Measures and adds the rows to the table. */
    void addTo(Table table) {
        try (QueueSite site = new QueueSite(folder, SESSIONS, 0)) {
            Worker sessions = site.sessions();
            int admin = site.adminPort();
            Progress.say("whole gateway: " + sessions.ask("admit") + ", asking for " + SECONDS + " s");
            int rate = SESSIONS * EACH_PER_SECOND;
            long scriptsBefore = RedisScripts.run(site.redis().port());
            double held = held(admin);
            Latencies seen = Latencies.parse(sessions.ask(rate + " " + rate * SECONDS));
            long scriptRuns = RedisScripts.run(site.redis().port()) - scriptsBefore;
            if (!site.gateway().alive() || seen.failed() > 0) {
                throw new IllegalStateException("admitted sessions: " + seen.failed() + " of " + seen.calls()
                        + " requests failed (expected: 0)");
            }
            table.goal(
                            "whole gateway: requests of admitted sessions without a query to Redis, percent",
                            100 - 100.0 * scriptRuns / seen.calls(),
                            PERCENT)
                    .note(
                            "whole gateway: the same by its own meter, percent",
                            "%.1f".formatted(100 * (held(admin) - held) / seen.calls()));
        }
    }

    /** Returns 0 before the first such decision. */
    private static double held(int admin) {
        double sum = MetricsPage.read(admin).sum("postern_room_decisions_total", "decision=\"held\"");
        return Double.isNaN(sum) ? 0 : sum;
    }
}
