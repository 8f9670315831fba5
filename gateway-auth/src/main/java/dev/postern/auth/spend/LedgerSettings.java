package dev.postern.auth.spend;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Checks;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of the spend ledger, section {@code privacy-pass.ledger} of the configuration. */
public record LedgerSettings(
        @Key(
                defaultValue = "embedded",
                description = "`embedded`: in this process; `redis`: the Redis of section `redis`.")
        Store store,

        @Key(
                defaultValue = "50ms",
                min = "1ms",
                max = "10s",
                description =
                        "Maximum wait for the store; then `when-unknown` applies. Pauses of the gateway itself, up to"
                                + " 250 ms, do not count.")
        Duration deadline,

        @Key(
                defaultValue = "refuse",
                description =
                        "If it is unknown whether a token was spent: `refuse` (503) or `accept`, which permits double"
                                + " spends.")
        WhenUnknown whenUnknown,

        @Key(
                defaultValue = "roll",
                description =
                        "If the store lost data: `roll` to new challenges, `refuse` until old challenges expire, or"
                                + " `accept`, which permits double spends.")
        WhenForgotten whenForgotten,

        @Key(
                name = "give-back",
                defaultValue = "true",
                description = "Whether a token is refunded if nothing of its request reached an upstream.")
        boolean refund,

        @Key(defaultValue = "{}", needs = "store: embedded", description = "Memory of this process.")
        Embedded embedded,

        @Key(defaultValue = "{}", needs = "store: memcached", description = "Servers of memcached.")
        Memcached memcached) {

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

    /** Settings of the embedded ledger. */
    public record Embedded(
            @Key(
                    defaultValue = "256MiB",
                    min = "1MiB",
                    max = "64GiB",
                    description = "Maximum memory; a full ledger refuses tokens and forgets none.")
            ByteSize maxMemory,

            @Key(
                    defaultValue = "null",
                    file = FileKind.FOLDER,
                    description = "Folder where spends survive a restart; without it a restart changes all challenges.")
            @Nullable
            Path journal) {}

    /** Settings of the memcached ledger. The order of servers does not matter, but all gateways must spell each server in the same way. */
    public record Memcached(
            @Key(
                    defaultValue = "[\"127.0.0.1:11211\"]",
                    description = "Servers; tokens are distributed by ketama. Run them with `-M`.")
            List<HostPort> servers,

            @Key(defaultValue = "1", description = "Servers that store each spend; all but one of them may fail.")
            int copies,

            @Key(
                    defaultValue = "spymemcached",
                    description = "`spymemcached`: library with one thread; `netty`: a connection per event loop.")
            Client client,

            @Key(
                    defaultValue = "1",
                    min = "1",
                    max = "64",
                    needs = "client: spymemcached",
                    description = "Connections to each server; commands are pipelined.")
            int connections,

            @Key(defaultValue = "[]", description = "Behind a router: servers for epoch markers and stats.")
            List<HostPort> statsServers) {

        public Memcached {
            servers = List.copyOf(servers);
            statsServers = List.copyOf(statsServers);
            Checks checks = Checks.of();
            connectable(checks, "servers", servers);
            connectable(checks, "stats-servers", statsServers);
            checks.that(!servers.isEmpty(), "servers", servers, "at least one")
                    .between("copies", copies, 1, Math.max(1, servers.size()))
                    .that(
                            copies == 1 || statsServers.isEmpty(),
                            "copies",
                            copies,
                            "1 with stats-servers, since a router decides by itself where it stores")
                    .that(
                            servers.stream().noneMatch(statsServers::contains),
                            "stats-servers",
                            statsServers,
                            "none of servers; those without a router are watched anyway")
                    .done();
        }

        private static void connectable(Checks checks, String key, List<HostPort> servers) {
            for (int i = 0; i < servers.size(); i++) {
                HostPort server = servers.get(i);
                String expected = server.connectable() ? "each server once" : "host:port of one machine, port 1..65535";
                boolean good = server.connectable() && servers.indexOf(server) == i;
                checks.that(good, key + "." + i, server, expected);
            }
        }
    }
}
