package dev.postern.auth.spend;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the ledger, configured under {@code privacy-pass.ledger}.
 *
 * @param store kind of the store
 * @param deadline maximum time from the start of a spend to its result
 * @param whenUnknown action for an exchange whose spend is UNKNOWN
 * @param whenForgotten rule that applies after a store lost its memory
 * @param giveBack whether a token is refunded when its exchange never reached an upstream; never on forward listeners
 * @param embedded settings of the embedded store
 * @param memcached settings of the memcached store
 * @param redis settings of the Redis store
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

    /** Returns the default settings: the embedded ledger, in the memory of this process. */
    public static LedgerSettings ofEmbedded() {
        return of(Store.EMBEDDED);
    }

    /** Returns the default settings for memcached servers, each written as {@code host:port}. */
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

    /** Returns the default settings for Redis at the given address. */
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

    /** Store of the ledger. */
    public enum Store {
        EMBEDDED,
        MEMCACHED,
        REDIS
    }

    /** Action for an exchange whose spend is UNKNOWN. */
    public enum WhenUnknown {
        REFUSE,
        ACCEPT
    }

    /** Rule that applies after a store lost its memory. */
    public enum WhenForgotten {
        /** Challenges change. Tokens of old challenges are refused; tokens of new challenges are accepted at once. */
        ROLL,
        /** Challenges stay. Tokens that may have been spent before the loss are UNKNOWN until all such tokens have expired. */
        REFUSE,
        /** Challenges stay. Spent tokens may be accepted again. */
        ACCEPT
    }

    /** Client implementation for memcached. */
    public enum Client {
        /** The library spymemcached, with one thread per connection. */
        SPYMEMCACHED,
        /** Netty connections, one per event loop and server. */
        NETTY
    }

    /**
     * Settings of the embedded ledger.
     *
     * @param maxMemory maximum memory in bytes; a full ledger returns UNKNOWN and forgets nothing
     * @param journal folder of the journal, in which spends outlive the process; null for no journal
     */
    public record Embedded(long maxMemory, @Nullable Path journal) {

        public Embedded {
            if (maxMemory < 1 << 20) {
                throw new IllegalArgumentException("max-memory: " + maxMemory + " bytes (expected: at least 1 MiB)");
            }
        }
    }

    /**
     * Settings of the memcached ledger.
     *
     * @param servers each as {@code host:port}; the order does not matter, but all gateways must spell each server in the same way
     * @param copies number of servers that store each spend
     * @param connections connections per server; the client {@code netty} opens one per event loop instead
     * @param statsServers the servers behind routers, where {@code servers} are routers; the gateway checks them over separate connections
     * @param client client implementation
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
     * Settings of the Redis ledger.
     *
     * @param uri {@code redis://} or {@code rediss://}; for a Cluster, any of its nodes
     * @param cluster whether the address is a node of a Cluster
     */
    public record Redis(String uri, boolean cluster) {

        @Override
        public String toString() {
            return "redis"; // the URI may hold a password
        }
    }
}
