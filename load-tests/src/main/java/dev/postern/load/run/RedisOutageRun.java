package dev.postern.load.run;

import dev.postern.load.crowd.Clock;
import dev.postern.load.crowd.Commuters;
import dev.postern.load.crowd.Crowd;
import dev.postern.load.crowd.Stretches;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.RunFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Redis outage run: two gateways share one Redis that freezes, dies, and comes back empty, under constant load. The
 * origin counts the active sessions; the clients count the responses by status and time.
 */
record RedisOutageRun(RunFolder folder, int people) {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration BETWEEN = Duration.ofSeconds(12);

    static RedisOutageRun of(RunFolder folder, Map<String, String> parameters) {
        return new RedisOutageRun(folder, Integer.parseInt(parameters.getOrDefault("people", "32")));
    }

    Table run() {
        List<Fault.Happened> happened = new ArrayList<>();
        OutageSite site = OutageSite.start(folder);
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
        Stretches sessions = site.origin().sessions(OutageSite.CROWD);
        folder.write("sessions.txt", sessions.text());
        folder.write("faults.txt", happened + "\n");
        return new OutageTable(commuters.tally(), sessions, happened).table();
    }

    private static void faults(OutageSite site, Commuters commuters, List<Fault.Happened> happened)
            throws InterruptedException {
        Progress.say("warming up for " + WARM_UP.toSeconds() + " s");
        TimeUnit.NANOSECONDS.sleep(WARM_UP.toNanos());
        commuters.tally().clear();
        TimeUnit.NANOSECONDS.sleep(BETWEEN.toNanos());
        for (Fault fault : Fault.values()) {
            commuters.awaitNewcomer(BETWEEN);
            Progress.say("redis: " + fault.title());
            commuters.outage(fault.ordinal());
            fault.strike(site);
            long began = Clock.micros();
            TimeUnit.SECONDS.sleep(fault.seconds());
            long healed = Clock.micros();
            fault.heal(site);
            happened.add(new Fault.Happened(fault, began, healed));
            Progress.say("redis is back; responses so far: " + commuters.tally().statuses());
            TimeUnit.NANOSECONDS.sleep(BETWEEN.toNanos());
        }
    }
}
