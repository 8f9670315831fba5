package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.ConfigSize;
import dev.postern.app.config.type.HostPort;
import dev.postern.app.config.type.Key;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The spend ledger: the store that remembers which tokens were redeemed. */
public record LedgerConfig(
        @Key(or = "embedded", says = "`embedded` in this process, `memcached`, or `redis`: the one under `redis:`.")
        Store store,

        @Key(
                or = "50ms",
                says =
                        "Longest wait for a response; afterwards it is unknown whether the token was spent. Time in which the gateway itself stood still is not counted, up to 250 ms.")
        ConfigDuration deadline,

        @Key(or = "refuse", says = "What to do then: `refuse` with 503, or `accept` at the risk of double spends.")
        WhenUnknown whenUnknown,

        @Key(
                or = "roll",
                says = "After the store lost its memory: `roll` to new challenges, `refuse` until old ones have"
                        + " ended, or `accept` at the risk of double spends.")
        WhenForgotten whenForgotten,

        @Key(
                or = "true",
                says = "Whether a token comes back to its holder when nothing of the request reached an upstream.")
        boolean giveBack,

        @Key(or = "{}", says = "For `store: embedded`.") Embedded embedded,
        @Key(or = "{}", says = "For `store: memcached`.") Memcached memcached) {

    public LedgerConfig {
        Checks.of().between("deadline", deadline, "1ms", "10s").done();
    }

    /** Where spends are remembered. */
    public enum Store {
        EMBEDDED,
        MEMCACHED,
        REDIS
    }

    /** What becomes of a token of which the store does not tell whether it was spent. */
    public enum WhenUnknown {
        REFUSE,
        ACCEPT
    }

    /** What becomes of tokens when the store lost its memory. */
    public enum WhenForgotten {
        ROLL,
        REFUSE,
        ACCEPT
    }

    /** Which library talks to memcached. */
    public enum Client {
        SPYMEMCACHED,
        NETTY
    }

    /** The ledger in this process. */
    public record Embedded(
            @Key(or = "256MiB", says = "Memory at most; a full ledger refuses instead of forgetting.")
            ConfigSize maxMemory,

            @Key(
                    or = "null",
                    says = "Folder in which spends outlive the process; without one a restart changes all challenges.")
            @Nullable
            String journal) {

        public Embedded {
            Checks.of().between("max-memory", maxMemory, "1MiB", "64GiB").done();
        }
    }

    /** The ledger in memcached. */
    public record Memcached(
            @Key(
                    or = "[\"127.0.0.1:11211\"]",
                    says = "Servers, each with a share of the tokens (ketama). Run them with `-M`.")
            List<HostPort> servers,

            @Key(or = "1", says = "On how many servers each spend is remembered: so many less one may be away at once.")
            int copies,

            @Key(
                    or = "spymemcached",
                    says = "Who talks to them: the library `spymemcached` with a thread of its own, or `netty`, each"
                            + " event loop itself.")
            Client client,

            @Key(or = "1", says = "Connections to each server by `spymemcached`; commands are pipelined on them.")
            int connections,

            @Key(or = "[]", says = "Behind a router: where epoch marks and stats are read.")
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
