package dev.postern.ratelimit.store;

import dev.postern.core.config.Rate;
import dev.postern.core.http.PathRules;
import dev.postern.core.http.RequestHead;
import dev.postern.core.rate.Gcra;
import dev.postern.core.transport.CidrSet;
import dev.postern.ratelimit.queue.RoomRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fair queue settings: the rooms of a limit, as configured.
 *
 * @param roomPer unit that has a room of its own
 * @param capacity number of active sessions, over all replicas
 * @param perSession rate limit of an admitted session, or null for none
 * @param times lifetimes of passes and places
 * @param maxWaiting maximum number of waiting sessions
 * @param waitingStatus status of the waiting page: 503, 429, 202 or 200
 * @param bind client properties to which a ticket is bound
 * @param bypass exchanges that never wait
 * @param tenants tenants and their weights
 * @param opensAt time until which all sessions wait, or null for none
 * @param page waiting page
 */
public record FairQueueSettings(
        RoomPer roomPer,
        Capacity capacity,
        @Nullable Rate perSession,
        Times times,
        int maxWaiting,
        int waitingStatus,
        Set<Bind> bind,
        Bypass bypass,
        Tenants tenants,
        @Nullable Instant opensAt,
        Page page) {

    public FairQueueSettings {
        bind = Set.copyOf(bind);
        if (!Set.of(200, 202, 429, 503).contains(waitingStatus)) {
            throw new IllegalArgumentException(
                    "waiting-status: " + waitingStatus + " (expected: 503, 429, 202 or 200)");
        }
    }

    /** Unit that has a room of its own. */
    public enum RoomPer {
        RULE,
        HOST,
        ROUTE
    }

    /** Client property to which a ticket is bound, so that other clients cannot use the ticket. */
    public enum Bind {
        /** The first 24 bits of an IPv4 address, or 56 bits of an IPv6 address. */
        ADDRESS,
        /** The User-Agent field. */
        AGENT
    }

    /**
     * Capacity: the maximum number of active sessions, fixed, or adapted between two limits by the response time of the upstream.
     */
    public record Capacity(int least, int most) {

        public Capacity {
            if (least < 1 || most < least) {
                throw new IllegalArgumentException(
                        "active-sessions: " + least + ".." + most + " (expected: at least 1, and not less at most)");
            }
        }

        public static Capacity of(int sessions) {
            return new Capacity(sessions, sessions);
        }

        public boolean fixed() {
            return least == most;
        }
    }

    /**
     * Tenants that share a room by weights.
     *
     * @param by key that identifies the tenant, or null for one order for all sessions
     * @param weights weights by tenant name, 1 to 100; all other tenants have weight 1
     * @param holderWeight weight of sessions with a token, where a token is optional
     */
    public record Tenants(@Nullable RateKey by, Map<String, Integer> weights, int holderWeight) {

        public static final Tenants NONE = new Tenants(null, Map.of(), 1);

        public Tenants {
            weights = Map.copyOf(weights);
        }
    }

    /**
     * Times of passes and places.
     *
     * @param pass maximum lifetime of a pass
     * @param idle time without a request after which a pass ends
     * @param absence time without a request after which a waiting session loses its place
     */
    public record Times(Duration pass, Duration idle, Duration absence) {}

    /**
     * Crawler that is verified by the DNS name of its address.
     *
     * @param word part of its User-Agent, case-insensitive
     * @param domains domains of its owner, in lower case
     */
    public record Crawler(String word, List<String> domains) {

        public Crawler {
            domains = List.copyOf(domains);
        }
    }

    /**
     * Bypass for exchanges that never wait.
     *
     * @param paths path prefixes of whole segments
     */
    public record Bypass(CidrSet addresses, List<String> paths, List<Crawler> crawlers) {

        public Bypass {
            paths = List.copyOf(paths);
            crawlers = List.copyOf(crawlers);
        }

        /** Returns the crawler that a User-Agent names, without verification; null for none. */
        public @Nullable Crawler crawler(@Nullable String agent) {
            String said = agent == null ? "" : agent.toLowerCase(Locale.ROOT);
            for (Crawler crawler : crawlers) {
                if (said.contains(crawler.word().toLowerCase(Locale.ROOT))) {
                    return crawler;
                }
            }
            return null;
        }

        /** Returns whether the path of the request, in every reading that an upstream may use, is below one of the prefixes. */
        public boolean covers(RequestHead request) {
            return covers(request.path()) && request.otherReadings().stream().allMatch(this::covers);
        }

        private boolean covers(String path) {
            return paths.stream().anyMatch(prefix -> PathRules.covers(prefix, path));
        }
    }

    /**
     * Waiting page.
     *
     * @param template HTML with placeholders, or null for the built-in page
     * @param languages {@code auto}, or some of the built-in languages
     */
    public record Page(@Nullable String template, String languages) {

        public static final Page DEFAULT = new Page(null, "auto");
    }

    RoomRules rules(Gcra base) {
        long opens = opensAt == null ? 0 : opensAt.getEpochSecond() * 1_000_000;
        return new RoomRules(
                capacity.least(),
                micros(times.pass()),
                micros(times.idle()),
                micros(times.absence()),
                maxWaiting,
                base,
                opens);
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }
}
