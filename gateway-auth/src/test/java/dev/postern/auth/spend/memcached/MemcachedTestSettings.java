package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.LedgerSettings.Memcached;
import dev.postern.core.config.HostPort;
import dev.postern.core.testing.KeyDefaults;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Creates settings with a deadline longer than any pause of a busy machine, for tests of other behaviour. */
final class MemcachedTestSettings {

    private MemcachedTestSettings() {}

    static LedgerSettings of(Client client, String... servers) {
        return of(client, Duration.ofSeconds(10), servers);
    }

    static LedgerSettings of(Client client, Duration deadline, String... servers) {
        return of(deadline, servers(client, List.of(servers), 1, 1, List.of()));
    }

    static LedgerSettings of(Memcached memcached) {
        return of(Duration.ofSeconds(10), memcached);
    }

    static LedgerSettings of(Duration deadline, Memcached memcached) {
        return KeyDefaults.of(
                LedgerSettings.class,
                Map.of("store", LedgerSettings.Store.MEMCACHED, "memcached", memcached, "deadline", deadline));
    }

    /** Returns the settings of servers with several copies or connections, or behind a router. */
    static Memcached servers(
            Client client, List<String> servers, int copies, int connections, List<String> statsServers) {
        return new Memcached(addresses(servers), copies, client, connections, addresses(statsServers));
    }

    private static List<HostPort> addresses(List<String> texts) {
        return texts.stream().map(HostPort::of).toList();
    }
}
