package dev.postern.auth.spend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.HostPort;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RangedSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LedgerSettingsTest {

    @Test
    void hasOneStoreAndSharedDefaults() {
        LedgerSettings embedded = KeyDefaults.of(LedgerSettings.class);
        LedgerSettings memcached = KeyDefaults.of(
                LedgerSettings.class,
                Map.of(
                        "store",
                        LedgerSettings.Store.MEMCACHED,
                        "memcached",
                        KeyDefaults.of(
                                LedgerSettings.Memcached.class,
                                Map.of("servers", List.of(HostPort.of("127.0.0.1:1"))))));
        LedgerSettings redis = KeyDefaults.of(LedgerSettings.class, Map.of("store", LedgerSettings.Store.REDIS));

        assertThat(embedded.store()).isEqualTo(LedgerSettings.Store.EMBEDDED);
        assertThat(memcached.store()).isEqualTo(LedgerSettings.Store.MEMCACHED);
        assertThat(memcached.memcached().servers()).containsExactly(HostPort.of("127.0.0.1:1"));
        assertThat(redis.store()).isEqualTo(LedgerSettings.Store.REDIS);
        for (LedgerSettings settings : List.of(embedded, memcached, redis)) {
            assertThat(settings.deadline()).isEqualTo(Duration.ofMillis(50));
            assertThat(settings.whenUnknown()).isEqualTo(LedgerSettings.WhenUnknown.REFUSE);
            assertThat(settings.whenForgotten()).isEqualTo(LedgerSettings.WhenForgotten.ROLL);
            assertThat(settings.refund()).isTrue();
        }
    }

    @Test
    void refusesSettingsThatNoStoreSupports() {
        refuses(
                () -> RangedSettings.check(new LedgerSettings.Embedded(new ByteSize((1 << 20) - 1), null)),
                "max-memory: 1048575B (expected: 1MiB..64GiB)");
        refuses(() -> memcached(List.of(), 1, 1), "servers: [] (expected: at least one)");
        refuses(() -> memcached(List.of("a:1"), 0, 1), "copies: 0 (expected: 1..1");
        refuses(() -> memcached(List.of("a:1"), 2, 1), "copies: 2 (expected: 1..1");
        refuses(() -> RangedSettings.check(memcached(List.of("a:1"), 1, 0)), "connections: 0 (expected: 1..64)");
        refuses(() -> RangedSettings.check(memcached(List.of("a:1"), 1, 65)), "connections: 65 (expected: 1..64)");
        assertThat(memcached(List.of("a:1"), 1, 64).connections()).isEqualTo(64);
        assertThat(new LedgerSettings.Embedded(new ByteSize(1 << 20), null).maxMemory())
                .hasToString("1MiB");
    }

    private static LedgerSettings.Memcached memcached(List<String> servers, int copies, int connections) {
        return new LedgerSettings.Memcached(
                servers.stream().map(HostPort::of).toList(),
                copies,
                LedgerSettings.Client.SPYMEMCACHED,
                connections,
                List.of());
    }

    private static void refuses(Runnable settings, String message) {
        assertThatIllegalArgumentException().isThrownBy(settings::run).withMessageContaining(message);
    }

    @Test
    void limitsTheDeadline() {
        refuses(() -> RangedSettings.check(with(Duration.ofMillis(1).minusNanos(1))), "deadline: ");
        refuses(() -> RangedSettings.check(with(Duration.ofSeconds(10).plusMillis(1))), "deadline: ");

        assertThat(with(Duration.ofMillis(1)).deadline()).isEqualTo(Duration.ofMillis(1));
        assertThat(with(Duration.ofSeconds(10)).deadline()).isEqualTo(Duration.ofSeconds(10));
    }

    private static LedgerSettings with(Duration deadline) {
        return KeyDefaults.of(LedgerSettings.class, Map.of("deadline", deadline));
    }
}
