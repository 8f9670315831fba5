package dev.postern.ratelimit.store;

import dev.postern.core.config.Checks;
import dev.postern.core.config.DurationText;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.Key;
import dev.postern.core.config.Rate;
import dev.postern.core.config.Share;
import dev.postern.core.config.Spelling;
import dev.postern.core.exchange.ClientBinding;
import dev.postern.core.net.CidrSet;
import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.RoomRules;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings of a fair queue of sessions over the rate, section {@code rate-limits[].fair-queue} of the configuration. */
public record FairQueueSettings(
        @Key(defaultValue = "rule", description = "Unit with its own room; `host` as for `per`.")
        RoomPer roomPer,

        @Key(
                defaultValue = "5",
                description = "Maximum concurrent sessions of all replicas, or `auto`; further sessions wait.")
        SessionCount activeSessions,

        @Key(defaultValue = "{}", needs = "active-sessions: auto", description = "Bounds of the number of sessions.")
        Auto auto,

        @Key(defaultValue = "50/s", description = "Maximum rate of an admitted session; beyond it 429. 0: no limit.")
        Rate perSessionRate,

        @Key(
                defaultValue = "10m",
                min = "1s",
                max = "7d",
                description = "Maximum time of an admitted session; then its pass ends.")
        Duration pass,

        @Key(
                defaultValue = "60s",
                min = "1s",
                max = "1d",
                upTo = "pass",
                description = "Time without a request; then the pass ends earlier.")
        Duration idle,

        // At least 3 s: clients are told to come back after whole seconds, and may take up to one more.
        @Key(
                defaultValue = "20s",
                min = "3s",
                max = "1h",
                description =
                        "Time without a sign of a waiting client; then it is passed over, up to a sixteenth of this time later.")
        Duration absence,

        @Key(
                defaultValue = "5m",
                min = "3s",
                max = "1h",
                description = "Time without a sign; then it loses its place. At least `absence`; at most `max-waiting`"
                        + " places are kept beside those of waiting clients.")
        Duration keep,

        @Key(
                defaultValue = "1%",
                description =
                        "Share of `max-waiting`, at least 5 places, that sessions of one client network (IPv4 address, IPv6"
                                + " /64) get at once. Further ones get a place when they come back with their cookie, and while"
                                + " their network has fewer places than are free.")
        Share ticketsPerAddress,

        @Key(
                defaultValue = "100000",
                min = "0",
                max = "10000000",
                description = "Maximum waiting sessions; further ones get 503 `room-full`.")
        int maxWaiting,

        @Key(defaultValue = "503", description = "Status of waiting responses: 503, 429, 202 or 200.")
        int waitingStatus,

        @Key(
                defaultValue = "[agent]",
                description =
                        "Properties of the client that a ticket is bound to beside its sealed cookie: address (IPv4"
                                + " /24, IPv6 /56), and agent, the products of User-Agent without versions.")
        List<ClientBinding> bind,

        @Key(
                defaultValue = "[]",
                description =
                        "Address ranges and path prefixes, without patterns, that do not wait; `/api/` means `/api`.")
        List<String> bypass,

        @Key(
                defaultValue = "{}",
                description =
                        "Crawlers that do not wait, such as `{Googlebot: [googlebot.com, google.com]}`: User-Agent"
                                + " word, and domains of the address's PTR name, which must resolve back.")
        Map<String, List<String>> crawlers,

        @Key(defaultValue = "{}", description = "Groups that share the room by weights.")
        Tenants tenants,

        @Key(
                defaultValue = "4",
                min = "1",
                max = "100",
                needs = "routes[].token: optional",
                description = "Weight of clients with a token; the others have 1.")
        int holderWeight,

        @Key(
                defaultValue = "null",
                description =
                        "Instant such as `2027-01-31T18:00:00Z`. Until then all sessions wait; then their order is"
                                + " drawn by lot.")
        @Nullable
        String opensAt,

        @Key(defaultValue = "{}", description = "Page of the waiting room.")
        Page page) {

    private static final String DOMAIN = "([a-z0-9_-]{1,63}\\.)+[a-z0-9-]{2,63}";

    /** Minimum number of places of one network that are given at once: a household. */
    private static final int MIN_PER_NETWORK = 5;

    /** Upper bound of instants: the year 10000, in seconds. */
    private static final long MAX_SECONDS = 253_402_300_800L;

    public FairQueueSettings {
        bind = List.copyOf(bind);
        bypass = bypass.stream().map(Spelling::path).toList();
        crawlers = Collections.unmodifiableMap(new LinkedHashMap<>(crawlers)); // the first match applies
        Checks checks = Checks.of()
                .that(
                        opensAt == null || isInstant(opensAt),
                        "opens-at",
                        String.valueOf(opensAt),
                        "an instant such as 2027-01-31T18:00:00Z, or null")
                .fit(
                        keep.compareTo(absence) >= 0,
                        new Checks.Fault(
                                "keep", keep, "not less than absence, which is " + DurationText.format(absence)),
                        new Checks.Fault(
                                "absence", absence, "not more than keep, which is " + DurationText.format(keep)))
                .that(
                        List.of(503, 429, 202, 200).contains(waitingStatus),
                        "waiting-status",
                        waitingStatus,
                        "503 | 429 | 202 | 200")
                .each(
                        "bypass",
                        bypass,
                        one -> one.startsWith("/") ? Spelling.isPath(one) : CidrSet.isRange(one),
                        one -> one.startsWith("/") || one.matches(".*(?<![0-9a-fA-F:])/.*")
                                ? Spelling.pathExpected(one)
                                : "an address range or a path");
        crawlers.forEach((word, domains) -> checkCrawler(checks, word, domains));
        checks.done();
    }

    private static boolean isInstant(String text) {
        try {
            long seconds = Instant.parse(text).getEpochSecond();
            return seconds > 0 && seconds < MAX_SECONDS;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static void checkCrawler(Checks checks, String word, List<String> domains) {
        String key = "crawlers." + word;
        checks.that(word.matches("[A-Za-z0-9_-]{1,64}"), key, word, "a word of letters, digits, dashes, underscores");
        checks.that(!domains.isEmpty(), key, domains, "the domains of its owner, such as [example.com]");
        for (String domain : domains) {
            checks.that(domain.matches(DOMAIN), key, domain, "a domain in small letters, such as example.com");
        }
    }

    /** Unit that has its own room. */
    public enum RoomPer {
        RULE,
        HOST,
        ROUTE
    }

    /** Bounds of {@code active-sessions: auto}, which adapts to the response time of the upstream. */
    public record Auto(
            @Key(
                    formerly = "at-least",
                    defaultValue = "5",
                    min = "1",
                    max = "1000000",
                    description = "Minimum, and value at start.")
            int min,

            @Key(
                    formerly = "at-most",
                    defaultValue = "1000",
                    min = "1",
                    max = "1000000",
                    description = "Maximum of all replicas.")
            int max) {

        public Auto {
            Checks.of()
                    .fit(
                            min <= max,
                            new Checks.Fault("max", max, "not less than min, which is " + min),
                            new Checks.Fault("min", min, "not more than max, which is " + max))
                    .done();
        }
    }

    /** Tenants that share a room by weights. */
    public record Tenants(
            @Key(
                    defaultValue = "none",
                    description =
                            "Property that tells tenants apart: `none`, `host` of the route, `route`, `client-address`,"
                                    + " `header:NAME` or `cookie:NAME`.")
            TenantKey by,

            @Key(
                    defaultValue = "{}",
                    min = "1",
                    max = "100",
                    needs = "by",
                    description = "Weights by tenant; others have 1.")
            Map<String, Integer> weights) {

        public Tenants {
            weights = Map.copyOf(weights);
        }
    }

    /** Page of the waiting room. */
    public record Page(
            @Key(
                    defaultValue = "null",
                    file = FileKind.READABLE,
                    description = "HTML file instead of the built-in page, without external resources.")
            @Nullable
            String template,

            @Key(
                    defaultValue = "auto",
                    description = "`auto`: by Accept-Language; or some of `en ja zh de fr es ar`, the default first.")
            String languages,

            @Key(
                    defaultValue = "none",
                    description = "Sites that may show the page in a frame: `none`, or some of `self`, `*`,"
                            + " `https://partner.example`, `https://*.partner.example`.")
            String frameAncestors) {

        public Page {
            Checks.of()
                    .parses("frame-ancestors", frameAncestors, () -> FrameAncestors.directive(frameAncestors))
                    .done();
        }
    }

    RoomRules rules(@Nullable Gcra base) {
        long opens = opensAt == null ? 0 : Instant.parse(opensAt).getEpochSecond() * 1_000_000;
        int sessions = activeSessions.auto() ? auto.min() : activeSessions.count();
        int perNetwork = Math.max(MIN_PER_NETWORK, (int) Math.ceil(maxWaiting * ticketsPerAddress.fraction()));
        return new RoomRules(
                sessions,
                micros(pass),
                micros(idle),
                micros(absence),
                micros(keep),
                maxWaiting,
                base,
                opens,
                perNetwork);
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }
}
