package dev.postern.load.run;

import dev.postern.load.crowd.Stretches;
import dev.postern.load.crowd.Tally;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Table;
import java.util.List;
import java.util.Map;

/**
 * Outage table: the result of a run without Redis, from the clients' responses and from the origin's times of activity.
 */
record OutageTable(Tally tally, Stretches sessions, List<Fault.Happened> happened) {
    private static final int FEWEST_OWED = 20;
    private static final double SECOND = 1e6;

    Table table() {
        Table table = new Table();
        responses(table);
        bound(table);
        table.note(
                "sessions admitted before the first fault",
                starts(0, happened.get(0).began()));
        for (int i = 0; i < happened.size(); i++) {
            fault(
                    table,
                    happened.get(i),
                    i + 1 < happened.size() ? happened.get(i + 1).began() : Long.MAX_VALUE);
        }
        return table;
    }

    private void responses(Table table) {
        Map<Integer, Integer> statuses = tally.statuses();
        int all = statuses.values().stream().mapToInt(Integer::intValue).sum();
        int others = all - statuses.getOrDefault(200, 0) - statuses.getOrDefault(503, 0);
        table.note("responses by status (0: none)", statuses)
                .verdict("responses other than 200 and 503", String.valueOf(others), "0", others == 0 && all > 0)
                .goal("slowest response, ms", tally.slowestMillis(), Goal.lessThan(1000));
    }

    private void bound(Table table) {
        int peak = sessions.peak(0, Long.MAX_VALUE);
        int bound = OutageSite.ACTIVE;
        table.verdict("sessions at once", String.valueOf(peak), "<= " + bound, peak > 1 && peak <= bound);
    }

    private void fault(Table table, Fault.Happened one, long next) {
        String title = "redis " + one.fault().title();
        int owed = tally.owed(one.fault().ordinal());
        int kept = tally.kept(one.fault().ordinal());
        double resumed = sessions.starts(one.healed(), next).stream()
                .findFirst()
                .map(start -> (start - one.healed()) / SECOND)
                .orElse(Double.NaN);
        // A Redis that is back at once leaves little time in which the site could owe a response.
        int fewest = one.fault().seconds() > 0 ? FEWEST_OWED : 1;
        table.verdict(
                        title + ": requests of live passes served",
                        kept + " of " + owed,
                        ">= 95 %",
                        owed >= fewest && kept >= 0.95 * owed)
                .goal(title + ": first admission afterwards, s", resumed, Goal.atMost(5))
                .note(
                        title + ": admitted while away, afterwards",
                        starts(one.began(), one.healed()) + ", " + starts(one.healed(), next));
    }

    private int starts(long from, long end) {
        return sessions.starts(from, end).size();
    }
}
