package dev.postern.auth.spend;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ledger as configured under {@code privacy-pass.ledger}.
 *
 * @param store which one
 * @param deadline until a spend is answered at the latest
 * @param whenUnknown what becomes of an exchange whose spend is UNKNOWN
 * @param whenForgotten what holds after a store lost its memory
 * @param giveBack whether a token is given back when its exchange never reached an upstream; on forward listeners never
 * @param embedded settings of that store
 * @param memcached settings of that store
 * @param redis settings of that store
 */
public record LedgerSettings(
        Store store,
        Duration deadline,
        WhenUnknown whenUnknown,
        WhenForgotten whenForgotten,
        boolean giveBack,
        Embedded embedded,
        Memcached memcached,
        Redis redis) {

    public LedgerSettings {
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("deadline: " + deadline + " (expected: more than 0)");
        }
    }

    /** All defaults: in this process' own memory. */
    public static LedgerSettings ofEmbedded() {
        return of(Store.EMBEDDED);
    }

    /** The defaults for memcached servers, {@code host:port} each. */
    public static LedgerSettings ofMemcached(List<String> servers) {
        LedgerSettings defaults = of(Store.MEMCACHED);
        return new LedgerSettings(
                defaults.store,
                defaults.deadline,
                defaults.whenUnknown,
                defaults.whenForgotten,
                defaults.giveBack,
                defaults.embedded,
                new Memcached(servers, 1, 1, List.of(), Client.SPYMEMCACHED),
                defaults.redis);
    }

    /** The defaults for Redis at that address. */
    public static LedgerSettings ofRedis(String uri, boolean cluster) {
        LedgerSettings defaults = of(Store.REDIS);
        return new LedgerSettings(
                defaults.store,
                defaults.deadline,
                defaults.whenUnknown,
                defaults.whenForgotten,
                defaults.giveBack,
                defaults.embedded,
                defaults.memcached,
                new Redis(uri, cluster));
    }

    private static LedgerSettings of(Store store) {
        return new LedgerSettings(
                store,
                Duration.ofMillis(50),
                WhenUnknown.REFUSE,
                WhenForgotten.ROLL,
                true,
                new Embedded(256L << 20, null),
                new Memcached(List.of("127.0.0.1:11211"), 1, 1, List.of(), Client.SPYMEMCACHED),
                new Redis("redis://127.0.0.1:6379", false));
    }

    /** Where the ledger is kept. */
    public enum Store {
        EMBEDDED,
        MEMCACHED,
        REDIS
    }

    /** What becomes of an exchange whose spend is UNKNOWN. */
    public enum WhenUnknown {
        REFUSE,
        ACCEPT
    }

    /** What holds after a store lost its memory. */
    public enum WhenForgotten {
        /** Challenges change; tokens of the old ones are refused, fresh ones pass at once. */
        ROLL,
        /** Challenges stay; tokens that may have been spent before are UNKNOWN until none of them can be accepted any more. */
        REFUSE,
        /** Challenges stay, and spent tokens may be accepted again. */
        ACCEPT
    }

    /** Who talks to memcached. */
    public enum Client {
        /** The library of that name, with a thread of its own for each connection. */
        SPYMEMCACHED,
        /** Each event loop itself. */
        NETTY
    }

    /**
     * @param maxMemory bytes at most; a full ledger responses UNKNOWN rather than forget
     * @param journal a folder in which spends outlive the process, or null
     */
    public record Embedded(long maxMemory, @Nullable Path journal) {

        public Embedded {
            if (maxMemory < 1 << 20) {
                throw new IllegalArgumentException("max-memory: " + maxMemory + " bytes (expected: at least 1 MiB)");
            }
        }
    }

    /**
     * @param servers {@code host:port} each; their order doesn't matter, their spelling does: all replicas need the same
     * @param copies on how many servers each spend is remembered
     * @param connections per server; client netty has one for each event loop instead
     * @param statsServers where servers are routers: what is behind them, to be watched over connections of their own
     * @param client who talks to them
     */
    public record Memcached(
            List<String> servers, int copies, int connections, List<String> statsServers, Client client) {

        public Memcached {
            servers = List.copyOf(servers);
            statsServers = List.copyOf(statsServers);
            if (servers.isEmpty()) {
                throw new IllegalArgumentException("servers: none (expected: at least one host:port)");
            }
            if (copies < 1 || copies > servers.size()) {
                throw new IllegalArgumentException(
                        "copies: " + copies + " (expected: 1.." + servers.size() + ", as there are servers)");
            }
            if (connections < 1 || connections > 64) {
                throw new IllegalArgumentException("connections: " + connections + " (expected: 1..64)");
            }
        }
    }

    /**
     * @param uri {@code redis://} or {@code rediss://}; of a Cluster, any node
     * @param cluster whether that address is a node of a Cluster
     */
    public record Redis(String uri, boolean cluster) {

        @Override
        public String toString() {
            return "redis"; // the URI may hold a password
        }
    }
}
