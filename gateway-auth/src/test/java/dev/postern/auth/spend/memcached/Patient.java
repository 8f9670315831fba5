package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerSettings;
import java.time.Duration;
import java.util.List;

/** Settings whose deadline no busy machine misses, for tests that are not about it. */
final class Patient {

    private Patient() {}

    static LedgerSettings of(int connections, String... servers) {
        return of(Duration.ofSeconds(5), connections, servers);
    }

    static LedgerSettings of(Duration deadline, int connections, String... servers) {
        LedgerSettings defaults = LedgerSettings.ofMemcached(List.of(servers));
        return new LedgerSettings(
                defaults.store(),
                deadline,
                defaults.whenUnknown(),
                defaults.whenForgotten(),
                defaults.giveBack(),
                defaults.embedded(),
                new LedgerSettings.Memcached(List.of(servers), 1, connections, List.of()),
                defaults.redis());
    }
}
