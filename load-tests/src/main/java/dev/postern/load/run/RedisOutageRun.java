package dev.postern.load.run;

import dev.postern.load.crowd.Clock;
import dev.postern.load.crowd.Commuters;
import dev.postern.load.crowd.Counters;
import dev.postern.load.crowd.Crowd;
import dev.postern.load.crowd.Tally;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.RunFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Two gateways on one Redis that freezes, dies, and comes back empty, while people never stop coming. The origin counts who was served at
 * once; the clients count what they were answered, and when.
 */
record RedisOutageRun(RunFolder folder, int people) {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration BETWEEN = Duration.ofSeconds(12);
    private static final int FEWEST_OWED = 20;
    private static final double SECOND = 1e6;

    /** What happens to Redis. */
    private enum Fault {
        PAUSED("paused 5 s", 5),
        KILLED("killed, empty after 8 s", 8),
        RESTARTED("killed, empty at once", 0);

        private final String title;
        private final int seconds;

        Fault(String title, int seconds) {
            this.title = title;
            this.seconds = seconds;
        }

        void strike(OutageSite site) {
            if (this == PAUSED) {
                site.redis().freeze();
            } else {
                site.redis().kill();
            }
        }

        void heal(OutageSite site) {
            if (this == PAUSED) {
                site.redis().thaw();
            } else {
                site.restartRedis();
            }
        }
    }

    /** A fault and when it was, in microseconds since 1970. */
    private record Happened(Fault fault, long began, long healed) {}

    static RedisOutageRun of(RunFolder folder, Map<String, String> parameters) {
        return new RedisOutageRun(folder, Integer.parseInt(parameters.getOrDefault("people", "32")));
    }

    Table run() {
        List<Happened> happened = new ArrayList<>();
        try (OutageSite site = OutageSite.start(folder)) {
            Commuters commuters = new Commuters(site.ports(), OutageSite.CROWD, OutageSite.PASS, OutageSite.IDLE);
            commuters.first();
            Crowd.run(2, number -> () -> {
                if (number == 0) {
                    commuters.run(people);
                    return;
                }
                try {
                    faults(site, commuters, happened);
                } finally {
                    commuters.stop();
                }
            });
            folder.write("complaints.txt", String.join("\n", commuters.tally().complaints()) + "\n");
            folder.write("sessions.txt", site.origin().sessions(OutageSite.CROWD));
            folder.write("faults.txt", happened + "\n");
            return tell(commuters.tally(), site.origin().counters(OutageSite.CROWD), happened);
        }
    }

    private static void faults(OutageSite site, Commuters commuters, List<Happened> happened)
            throws InterruptedException {
        Progress.say("warming up for " + WARM_UP.toSeconds() + " s");
        TimeUnit.NANOSECONDS.sleep(WARM_UP.toNanos());
        commuters.tally().clear();
        TimeUnit.NANOSECONDS.sleep(BETWEEN.toNanos());
        for (Fault fault : Fault.values()) {
            Progress.say("redis: " + fault.title);
            long began = Clock.micros();
            commuters.outage(fault.ordinal());
            fault.strike(site);
            TimeUnit.SECONDS.sleep(fault.seconds);
            long healed = Clock.micros();
            fault.heal(site);
            happened.add(new Happened(fault, began, healed));
            Progress.say("redis is back; answers so far: " + commuters.tally().statuses());
            TimeUnit.NANOSECONDS.sleep(BETWEEN.toNanos());
        }
    }

    private static Table tell(Tally tally, Counters counted, List<Happened> happened) {
        Map<Integer, Integer> statuses = tally.statuses();
        int all = statuses.values().stream().mapToInt(Integer::intValue).sum();
        int others = all - statuses.getOrDefault(200, 0) - statuses.getOrDefault(503, 0);
        Table table = new Table()
                .note("answers by status (0: none)", statuses)
                .verdict("answers other than 200 and 503", String.valueOf(others), "0", others == 0 && all > 0)
                .goal("slowest answer, ms", tally.slowestMillis(), Goal.lessThan(1000))
                .verdict(
                        "sessions at once over the whole run",
                        String.valueOf(counted.peak()),
                        "<= " + OutageSite.ACTIVE,
                        counted.peak() <= OutageSite.ACTIVE && counted.peak() > 1)
                .note("sessions let in before the first fault", counted.started(0, happened.get(0).began));
        for (int i = 0; i < happened.size(); i++) {
            long next = i + 1 < happened.size() ? happened.get(i + 1).began : Long.MAX_VALUE;
            tell(table, tally, counted, happened.get(i), next);
        }
        return table;
    }

    private static void tell(Table table, Tally tally, Counters counted, Happened one, long next) {
        String title = "redis " + one.fault.title;
        int owed = tally.owed(one.fault.ordinal());
        int kept = tally.kept(one.fault.ordinal());
        table.verdict(
                title + ": requests of live passes served",
                kept + " of " + owed,
                ">= 95 %",
                owed >= FEWEST_OWED && kept >= 0.95 * owed);
        double resumed = counted.starts().stream()
                .filter(start -> start >= one.healed)
                .findFirst()
                .map(start -> (start - one.healed) / SECOND)
                .orElse(Double.NaN);
        table.goal(title + ": somebody let in again after, s", resumed, Goal.atMost(5))
                .note(
                        title + ": let in while away, after",
                        counted.started(one.began, one.healed) + ", " + counted.started(one.healed, next));
    }
}
