package dev.postern.load.run;

import dev.postern.load.crowd.Browsers;
import dev.postern.load.crowd.CookieClients;
import dev.postern.load.crowd.CookieClients.Result;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.origin.Counters;
import dev.postern.load.origin.Origin;
import dev.postern.load.run.RoomRule.Act;
import dev.postern.load.run.RoomRule.Engine;
import dev.postern.load.run.RoomRule.Kind;
import java.time.Duration;
import java.util.Locale;

/** Room table: the result of the waiting room's run, with the counters of the origins beside those of the clients. */
final class RoomTable {
    /** The crowd that goes through nginx. */
    static final String PEER = "nginx";

    private static final int MAX_WHOLE_WITHOUT = 2;

    private final RoomSite site;
    private final CookieClients.Size clients;
    private final Browsers.Size browsers;
    private final Table table = new Table();

    RoomTable(RoomSite site, CookieClients.Size clients, Browsers.Size browsers) {
        this.site = site;
        this.clients = clients;
        this.browsers = browsers;
        table.note(
                "capacity of each origin",
                "%d workers, %d ms each: %d requests/s"
                        .formatted(
                                RoomSite.WORKERS,
                                Origin.BUSY.toMillis(),
                                RoomSite.WORKERS * 1000 / Origin.BUSY.toMillis()));
    }

    Table table() {
        return table;
    }

    void cookies(RoomRule rule, Result result) {
        Counters counted = site.origin(rule.engine()).counters(rule.name());
        boolean polite = rule.act() == Act.POLITE;
        if (rule.kind() == Kind.LIMIT) {
            table.note(rule.title() + ": responses 200", responses(counted, result));
        } else {
            long goal = polite ? clients.all() : (long) RoomRule.ACTIVE * clients.requests();
            table.verdict(
                    rule.title() + ": responses 200",
                    responses(counted, result),
                    (polite ? "all " : ">= ") + "%,d".formatted(goal),
                    counted.served() >= goal && counted.served() == result.served());
        }
        speed(rule.title(), result);
        if (rule.kind() == Kind.QUEUE) {
            sessions(rule, counted);
        }
    }

    /**
     * Adds the sessions. Pages that pass at the base rate, and their leases, come first; a crowd that ends before that
     * has no later peak.
     */
    private void sessions(RoomRule rule, Counters counted) {
        String figure = rule.title() + ": sessions at once";
        if (counted.laterPeak() == 0) {
            table.note(figure, counted.peak() + ", none later");
        } else {
            table.verdict(
                    figure,
                    counted.peak() + ", later " + counted.laterPeak(),
                    "later <= " + RoomRule.ACTIVE,
                    counted.laterPeak() <= RoomRule.ACTIVE);
        }
    }

    /** Adds nginx with the limit alone, in front of the origin of the embedded engine. */
    void peer(Result result) {
        String title = "impatient, 10/s an address, no burst, limit alone, nginx";
        table.note(
                title + ": responses 200",
                responses(site.origin(Engine.EMBEDDED).counters(PEER), result));
        speed(title, result);
    }

    void pages(RoomRule rule, Duration elapsed) {
        Counters counted = site.origin(rule.engine()).counters(rule.name());
        int all = browsers.allPages();
        String value = "%d of %d whole, %d half".formatted(counted.wholePages(), all, counted.halfPages());
        if (rule.kind() == Kind.QUEUE) {
            boolean met = counted.wholePages() == all && counted.halfPages() == 0;
            table.verdict(rule.title() + ": pages", value, "all whole, 0 half", met);
        } else {
            boolean met = counted.wholePages() <= MAX_WHOLE_WITHOUT;
            table.verdict(rule.title() + ": pages", value, "<= " + MAX_WHOLE_WITHOUT + " whole", met);
        }
        table.note(rule.title() + ": seconds", Spread.number(elapsed.toMillis() / 1000.0));
    }

    /** Returns the origin's count, and the clients' count where it differs. */
    private String responses(Counters counted, Result result) {
        String clientCount = counted.served() == result.served() ? "" : " (clients: %,d)".formatted(result.served());
        return String.format(Locale.ROOT, "%,d of %,d%s", counted.served(), clients.all(), clientCount);
    }

    private void speed(String title, Result result) {
        table.note(
                title + ": s, requests/s, 200s/s",
                Spread.number(result.elapsed().toMillis() / 1000.0)
                        + ", " + Spread.number(result.perSecond(result.sent()))
                        + ", " + Spread.number(result.perSecond(result.served())));
    }
}
