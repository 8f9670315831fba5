package dev.postern.ratelimit.store;

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
 * The room of a limit, as configured.
 *
 * @param roomPer what has a room of its own
 * @param capacity how many sessions at once, all replicas together
 * @param perSession what an admitted session may do, or null for no bound
 * @param times how long passes and places last
 * @param maxWaiting how many may wait
 * @param waitingStatus 503, 429, 202 or 200
 * @param bind what a ticket is bound to
 * @param bypass who and what never queues
 * @param tenants who shares the room by weights
 * @param opensAt until when all wait, or null for open already
 * @param page of those who wait
 */
public record FairQueueSettings(
        RoomPer roomPer,
        Capacity capacity,
        @Nullable LimitRate perSession,
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

    /** What has a room of its own. */
    public enum RoomPer {
        RULE,
        HOST,
        ROUTE
    }

    /** What a ticket is bound to, so that it is worth nothing to others. */
    public enum Bind {
        /** The first 24 bits of an IPv4 address, 56 of an IPv6 one. */
        ADDRESS,
        /** The User-Agent field. */
        AGENT
    }

    /**
     * How many sessions may use the site at once: a hard bound, or two between which it is chosen by what the site bears.
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
     * Who shares a room by weights.
     *
     * @param by what tells tenants apart, or null for one order for everybody
     * @param weights of some by their names, 1 to 100; all others have 1
     * @param holderWeight where a token is optional, of those who have one
     */
    public record Tenants(@Nullable RateKey by, Map<String, Integer> weights, int holderWeight) {

        public static final Tenants NONE = new Tenants(null, Map.of(), 1);

        public Tenants {
            weights = Map.copyOf(weights);
        }
    }

    /**
     * @param pass the right to use the site ends then anyway
     * @param idle or after this silence
     * @param absence a waiting one not heard from for so long has left
     */
    public record Times(Duration pass, Duration idle, Duration absence) {}

    /**
     * A crawler that its address' name must prove.
     *
     * @param word of its User-Agent, in any case
     * @param domains of its owner, in small letters
     */
    public record Crawler(String word, List<String> domains) {

        public Crawler {
            domains = List.copyOf(domains);
        }
    }

    /** @param paths prefixes on segment borders */
    public record Bypass(CidrSet addresses, List<String> paths, List<Crawler> crawlers) {

        public Bypass {
            paths = List.copyOf(paths);
            crawlers = List.copyOf(crawlers);
        }

        /** The crawler that a User-Agent names, true or not; null for none. */
        public @Nullable Crawler crawler(@Nullable String agent) {
            String said = agent == null ? "" : agent.toLowerCase(Locale.ROOT);
            for (Crawler crawler : crawlers) {
                if (said.contains(crawler.word().toLowerCase(Locale.ROOT))) {
                    return crawler;
                }
            }
            return null;
        }

        /** Whether the path of that request lies below one of ours, whatever an upstream takes it for. */
        public boolean covers(RequestHead request) {
            return covers(request.path()) && request.otherReadings().stream().allMatch(this::covers);
        }

        private boolean covers(String path) {
            return paths.stream().anyMatch(prefix -> PathRules.covers(prefix, path));
        }
    }

    /**
     * @param template HTML with holes, or null for the page that comes with us
     * @param languages {@code auto}, or some of those that we speak
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
