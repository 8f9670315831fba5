package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.ConfigRate;
import dev.postern.app.config.type.Key;
import dev.postern.app.config.type.SessionCount;
import dev.postern.app.config.type.Spelling;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A rate limit, with a fair queue or without. */
public record RateLimitConfig(
        @Key(example = "site", says = "Its name in routes, log and meters.")
        String name,

        @Key(example = "10/s", says = "How many requests pass freely.")
        ConfigRate rate,

        @Key(or = "10", says = "How many may come at once on top of the rate; 0 for none.")
        int burst,

        @Key(
                or = "host",
                says =
                        "What the rate counts by: `host` (of the matched route: all hosts of a `*` or `*.suffix` route are one), `client-address` (IPv6: /64), `route` or `header:NAME`.")
        String per,

        @Key(or = "embedded", says = "`embedded` in this process, or `redis` for all replicas together.")
        Store store,

        @Key(or = "null", says = "Sessions over the rate wait in a fair queue; without it they get 429.") @Nullable
        FairQueue fairQueue) {

    private static final String PER = "host|client-address|route|header:[A-Za-z0-9-]{1,64}";
    private static final String DOMAIN = "([a-z0-9_-]{1,63}\\.)+[a-z0-9-]{2,63}";
    private static final int HEAVIEST = 100;

    /** The year 10000, in seconds: what has more digits is no date of anybody's. */
    private static final long LATEST = 253_402_300_800L;

    public RateLimitConfig {
        Checks.of()
                .that(
                        name.matches("[A-Za-z0-9_-]{1,64}"),
                        "name",
                        name,
                        "1 to 64 letters, digits, dashes or underscores")
                .that(rate.count() >= 1, "rate", rate, "at least 1 in a period, such as 10/s")
                .between("burst", burst, 0, 1_000_000)
                .that(per.matches(PER), "per", per, "host | client-address | route | header:NAME")
                .done();
    }

    /** Where counts and rooms live. */
    public enum Store {
        EMBEDDED,
        REDIS
    }

    /** What has a room of its own. */
    public enum RoomPer {
        RULE,
        HOST,
        ROUTE
    }

    /** What a ticket is bound to. */
    public enum Binding {
        ADDRESS,
        AGENT
    }

    /** Whole pages for some instead of half a page for everyone. */
    public record FairQueue(
            @Key(
                    or = "rule",
                    says =
                            "What has a room of its own: `rule`, `host` (of the matched route, as for `per`) or `route`.")
            RoomPer roomPer,

            @Key(or = "5", says = "Sessions that use the site at once: a hard bound, all replicas together; or `auto`.")
            SessionCount activeSessions,

            @Key(or = "{}", says = "The bounds of `active-sessions: auto`.")
            Auto auto,

            @Key(or = "50/s", says = "Requests of one session; 0 for no limit.")
            ConfigRate perSessionRate,

            @Key(or = "10m", says = "The right to use the site ends then anyway.")
            ConfigDuration pass,

            @Key(or = "60s", says = "It ends earlier after this silence.")
            ConfigDuration idle,

            @Key(or = "20s", says = "A waiting one not heard from for so long has left.")
            ConfigDuration absence,

            @Key(or = "100000", says = "Sessions that wait at most.")
            int maxWaiting,

            @Key(or = "503", says = "Status of the waiting room: 503, 429, 202 or 200.")
            int waitingStatus,

            @Key(or = "[address, agent]", says = "What a ticket is bound to.")
            List<Binding> bind,

            @Key(or = "[]", says = "Address ranges and path prefixes that need not wait; `/api/` is `/api`.")
            List<String> bypass,

            @Key(
                    or = "{}",
                    says = "Crawlers that need not wait, such as `{Googlebot: [googlebot.com, google.com]}`: a word"
                            + " of the User-Agent, and the domains in one of which the address must have a name"
                            + " (PTR) that leads back to it.")
            Map<String, List<String>> crawlers,

            @Key(or = "{}", says = "Who shares the room by weights, instead of one order for everybody.")
            Tenants tenants,

            @Key(or = "4", says = "On routes with `token: optional`: weight of those with a token; the others have 1.")
            int holderWeight,

            @Key(
                    or = "null",
                    says = "Instant such as `2027-01-31T18:00:00Z`: until then all wait, and their order is a lot.")
            @Nullable
            String opensAt,

            @Key(or = "{}", says = "The waiting room's page.")
            Page page) {

        public FairQueue {
            bind = List.copyOf(bind);
            bypass = bypass.stream().map(Spelling::path).toList();
            crawlers = Collections.unmodifiableMap(new LinkedHashMap<>(crawlers)); // the first that fits counts
            Checks checks = Checks.of()
                    .between("holder-weight", holderWeight, 1, HEAVIEST)
                    .that(
                            opensAt == null || instant(opensAt),
                            "opens-at",
                            String.valueOf(opensAt),
                            "an instant such as 2027-01-31T18:00:00Z, or null")
                    .between("pass", pass, "1s", "7d")
                    .between("idle", idle, "1s", "1d")
                    .between("absence", absence, "1s", "1h")
                    .between("max-waiting", maxWaiting, 0, 10_000_000)
                    .that(
                            List.of(503, 429, 202, 200).contains(waitingStatus),
                            "waiting-status",
                            waitingStatus,
                            "503 | 429 | 202 | 200");
            for (int i = 0; i < bypass.size(); i++) {
                String one = bypass.get(i);
                boolean path = one.startsWith("/");
                checks.that(
                        path ? Spelling.isPath(one) : Ranges.valid(one),
                        "bypass." + i,
                        one,
                        path ? RouteConfig.PATH : "an address range or a path");
            }
            crawlers.forEach((word, domains) -> checkCrawler(checks, word, domains));
            checks.done();
        }

        private static void checkCrawler(Checks checks, String word, List<String> domains) {
            String key = "crawlers." + word;
            checks.that(
                    word.matches("[A-Za-z0-9_-]{1,64}"), key, word, "a word of letters, digits, dashes, underscores");
            checks.that(!domains.isEmpty(), key, domains, "the domains of its owner, such as [example.com]");
            for (String domain : domains) {
                checks.that(domain.matches(DOMAIN), key, domain, "a domain in small letters, such as example.com");
            }
        }
    }

    /** Between what {@code active-sessions: auto} may choose. */
    public record Auto(
            @Key(formerly = "at-least", or = "5", says = "Where it begins, and never less.")
            int min,

            @Key(formerly = "at-most", or = "1000", says = "Never more, all replicas together.")
            int max) {

        public Auto {
            Checks.of()
                    .between("min", min, 1, 1_000_000)
                    .between("max", max, 1, 1_000_000)
                    .fit(
                            min <= max,
                            new Checks.Fault("max", max, "not less than min, which is " + min),
                            new Checks.Fault("min", min, "not more than max, which is " + max))
                    .done();
        }
    }

    /** Those who share a room. */
    public record Tenants(
            @Key(
                    or = "none",
                    says =
                            "What tells them apart: `none`, `host` (of the matched route), `route`, `client-address` or `header:NAME`.")
            String by,

            @Key(or = "{}", says = "Weights of some, 1 to 100; all others have 1.")
            Map<String, Integer> weights) {

        public Tenants {
            weights = Map.copyOf(weights);
            Checks checks = Checks.of()
                    .that(by.matches("none|" + PER), "by", by, "none | host | route | client-address | header:NAME");
            weights.forEach((name, weight) -> checks.between("weights." + name, weight, 1, HEAVIEST));
            checks.done();
        }
    }

    private static boolean instant(String text) {
        try {
            long seconds = Instant.parse(text).getEpochSecond();
            return seconds > 0 && seconds < LATEST;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    /** The waiting room's page. */
    public record Page(
            @Key(
                    or = "null",
                    says = "HTML file instead of the built-in page; everything that it shows must be inside it.")
            @Nullable
            String template,

            @Key(
                    or = "auto",
                    says = "`auto` follows Accept-Language; else some of `en ja zh de fr es ar`, the one for"
                            + " everybody else first.")
            String languages) {}
}
