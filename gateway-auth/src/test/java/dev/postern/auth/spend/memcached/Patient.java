package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.LedgerSettings.Memcached;
import java.time.Duration;
import java.util.List;

/** Settings whose deadline no busy machine misses, for tests that are not about it. */
final class Patient {

    private Patient() {}

    static LedgerSettings of(Client client, String... servers) {
        return of(client, Duration.ofSeconds(10), servers);
    }

    static LedgerSettings of(Client client, Duration deadline, String... servers) {
        return of(deadline, new Memcached(List.of(servers), 1, 1, List.of(), client));
    }

    static LedgerSettings of(Memcached memcached) {
        return of(Duration.ofSeconds(10), memcached);
    }

    static LedgerSettings of(Duration deadline, Memcached memcached) {
        LedgerSettings defaults = LedgerSettings.ofMemcached(memcached.servers());
        return new LedgerSettings(
                defaults.store(),
                deadline,
                defaults.whenUnknown(),
                defaults.whenForgotten(),
                defaults.giveBack(),
                defaults.embedded(),
                memcached,
                defaults.redis());
    }
}
