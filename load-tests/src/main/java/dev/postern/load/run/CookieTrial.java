package dev.postern.load.run;

import dev.postern.load.crowd.CookieClients;
import dev.postern.load.crowd.CookieClients.Manner;
import dev.postern.load.crowd.CookieClients.Result;
import dev.postern.load.run.RoomRule.Act;
import dev.postern.load.run.RoomRule.Kind;
import java.time.Duration;

/** Cookie trial: the clients of the first ancestor's experiment at one rule. */
final class CookieTrial implements Trial {
    private static final Duration AT_MOST = Duration.ofMinutes(5);
    /** How long polite clients stay under the limit alone, where all their requests would take a quarter of an hour. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(20);

    private final RoomRule rule;
    private final CookieClients crowd;
    private Result result = new Result(0, 0, Duration.ZERO);

    CookieTrial(RoomSite site, RoomRule rule, CookieClients.Size size) {
        this.rule = rule;
        this.crowd = new CookieClients(site.port(), rule.name(), size);
    }

    @Override
    public String title() {
        return rule.title();
    }

    @Override
    public void run() {
        if (rule.act() == Act.POLITE) {
            result = crowd.run(Manner.POLITE, rule.kind() == Kind.LIMIT ? LONG_ENOUGH : AT_MOST);
        } else {
            result = crowd.run(Manner.IMPATIENT, AT_MOST);
        }
    }

    @Override
    public String progress() {
        return crowd.progress();
    }

    @Override
    public void addTo(RoomTable table) {
        table.cookies(rule, result);
    }
}
