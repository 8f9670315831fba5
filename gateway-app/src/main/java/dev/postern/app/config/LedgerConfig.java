package dev.postern.app.config;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Checks;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.Key;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Spend ledger: the store of redeemed tokens. */
public record LedgerConfig(
        @Key(or = "embedded", says = "`embedded`: in this process; `redis`: the Redis of section `redis`.")
        Store store,

        @Key(
                or = "50ms",
                says = "Maximum wait for the store; then `when-unknown` applies. Pauses of the gateway itself, up to"
                        + " 250 ms, do not count.")
        Duration deadline,

        @Key(
                or = "refuse",
                says = "If it is unknown whether a token was spent: `refuse` (503) or `accept`, which permits double"
                        + " spends.")
        WhenUnknown whenUnknown,

        @Key(
                or = "roll",
                says = "If the store lost data: `roll` to new challenges, `refuse` until old challenges expire, or"
                        + " `accept`, which permits double spends.")
        WhenForgotten whenForgotten,

        @Key(or = "true", says = "Whether a token is refunded if nothing of its request reached an upstream.")
        boolean giveBack,

        @Key(or = "{}", says = "For `store: embedded`.") Embedded embedded,
        @Key(or = "{}", says = "For `store: memcached`.") Memcached memcached) {

    public LedgerConfig {
        Checks.of().between("deadline", deadline, "1ms", "10s").done();
    }

    /** Store of spends. */
    public enum Store {
        EMBEDDED,
        MEMCACHED,
        REDIS
    }

    /** Decision about a token if the store does not say whether the token was spent. */
    public enum WhenUnknown {
        REFUSE,
        ACCEPT
    }

    /** Decision about tokens after the store lost data. */
    public enum WhenForgotten {
        ROLL,
        REFUSE,
        ACCEPT
    }

    /** Client library for memcached. */
    public enum Client {
        SPYMEMCACHED,
        NETTY
    }

    /** Embedded ledger, in the memory of this process. */
    public record Embedded(
            @Key(or = "256MiB", says = "Maximum memory; a full ledger refuses tokens and forgets none.")
            ByteSize maxMemory,

            @Key(
                    or = "null",
                    says = "Folder where spends survive a restart; without it a restart changes all challenges.")
            @Nullable
            String journal) {

        public Embedded {
            Checks.of().between("max-memory", maxMemory, "1MiB", "64GiB").done();
        }
    }

    /** Memcached ledger. */
    public record Memcached(
            @Key(or = "[\"127.0.0.1:11211\"]", says = "Servers; tokens are distributed by ketama. Run them with `-M`.")
            List<HostPort> servers,

            @Key(or = "1", says = "Servers that store each spend; all but one of them may fail.")
            int copies,

            @Key(
                    or = "spymemcached",
                    says = "`spymemcached`: library with one thread; `netty`: a connection per event loop.")
            Client client,

            @Key(or = "1", says = "Connections of `spymemcached` to each server; commands are pipelined.")
            int connections,

            @Key(or = "[]", says = "Behind a router: servers for epoch markers and stats.")
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
                            connections == 1 || client == Client.SPYMEMCACHED,
                            "connections",
                            connections,
                            "1 with client netty, which has one for each event loop")
                    .that(
                            servers.stream().noneMatch(statsServers::contains),
                            "stats-servers",
                            statsServers,
                            "none of servers; those without a router are watched anyway")
                    .between("connections", connections, 1, 64)
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
