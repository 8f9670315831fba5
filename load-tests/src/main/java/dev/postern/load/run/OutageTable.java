package dev.postern.load.run;

import dev.postern.load.crowd.Tally;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Table;
import dev.postern.load.origin.Stretches;
import java.util.List;
import java.util.Map;

/** The result of a run without Redis: the clients' answers, and who was active when by the origin's book. */
record OutageTable(Tally tally, Stretches sessions, List<Fault.Happened> happened) {
    private static final int FEWEST_OWED = 20;
    private static final double SECOND = 1e6;
    /** Who passes at the base rate fetches a page for 5 s at most; gateways find an empty Redis within a second. */
    private static final long LEASE = 6_500_000;

    Table table() {
        Table table = new Table();
        answers(table);
        bound(table);
        table.note(
                "sessions let in before the first fault",
                starts(0, happened.get(0).began()));
        for (int i = 0; i < happened.size(); i++) {
            fault(
                    table,
                    happened.get(i),
                    i + 1 < happened.size() ? happened.get(i + 1).began() : Long.MAX_VALUE);
        }
        return table;
    }

    private void answers(Table table) {
        Map<Integer, Integer> statuses = tally.statuses();
        int all = statuses.values().stream().mapToInt(Integer::intValue).sum();
        int others = all - statuses.getOrDefault(200, 0) - statuses.getOrDefault(503, 0);
        table.note("answers by status (0: none)", statuses)
                .verdict("answers other than 200 and 503", String.valueOf(others), "0", others == 0 && all > 0)
                .goal("slowest answer, ms", tally.slowestMillis(), Goal.lessThan(1000));
    }

    /**
     * A rate whose memory is lost lets one more pass; that is the rate's doing, not the room's, so these seconds have a row of their own.
     */
    private void bound(Table table) {
        int most = 0;
        int mostAfterLoss = 0;
        long from = 0;
        for (Fault.Happened one : happened) {
            if (one.fault().forgets()) {
                most = Math.max(most, sessions.peak(from, one.healed()));
                from = one.healed() + LEASE;
                mostAfterLoss = Math.max(mostAfterLoss, sessions.peak(one.healed(), from));
            }
        }
        most = Math.max(most, sessions.peak(from, Long.MAX_VALUE));
        int bound = OutageSite.ACTIVE;
        table.verdict("sessions at once", String.valueOf(most), "<= " + bound, most > 1 && most <= bound)
                .verdict(
                        "sessions at once, just after memory was lost",
                        String.valueOf(mostAfterLoss),
                        "<= " + bound + " and 1 at the base rate",
                        mostAfterLoss > 1 && mostAfterLoss <= bound + 1);
    }

    private void fault(Table table, Fault.Happened one, long next) {
        String title = "redis " + one.fault().title();
        int owed = tally.owed(one.fault().ordinal());
        int kept = tally.kept(one.fault().ordinal());
        // After a loss the first is the one who passes at the base rate.
        double resumed = sessions.starts(one.healed(), next).stream()
                .skip(one.fault().forgets() ? 1 : 0)
                .findFirst()
                .map(start -> (start - one.healed()) / SECOND)
                .orElse(Double.NaN);
        table.verdict(
                        title + ": requests of live passes served",
                        kept + " of " + owed,
                        ">= 95 %",
                        owed >= FEWEST_OWED && kept >= 0.95 * owed)
                .goal(title + ": somebody let in again after, s", resumed, Goal.atMost(5))
                .note(
                        title + ": let in while away, after",
                        starts(one.began(), one.healed()) + ", " + starts(one.healed(), next));
    }

    private int starts(long from, long to) {
        return sessions.starts(from, to).size();
    }
}
