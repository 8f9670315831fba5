package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.LedgerSettings;
import java.time.Duration;

/** Settings with a deadline that only what is never answered misses, since other builds may share this machine. */
final class Patient {

    private Patient() {}

    static LedgerSettings of(String address, boolean cluster) {
        return of(Duration.ofSeconds(10), address, cluster);
    }

    static LedgerSettings of(Duration deadline, String address, boolean cluster) {
        LedgerSettings defaults = LedgerSettings.ofRedis("redis://" + address, cluster);
        return new LedgerSettings(
                defaults.store(),
                deadline,
                defaults.whenUnknown(),
                defaults.whenForgotten(),
                defaults.giveBack(),
                defaults.embedded(),
                defaults.memcached(),
                defaults.redis());
    }
}
