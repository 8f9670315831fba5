package dev.postern.auth.spend.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.TestRedemptions;
import dev.postern.core.config.ByteSize;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a full ledger: how its shards share the memory. */
class LedgerMemoryTest {

    private static final int LARGEST_KIB = 4;

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T10:00:30Z"));
    private final TestRedemptions tokens = new TestRedemptions(9577, clock);
    private final EventLoop loop = new DefaultEventLoop();
    private final EmbeddedLedger ledger = open(ByteSize.of("1MiB"));

    private EmbeddedLedger open(ByteSize max) {
        LedgerSettings settings =
                KeyDefaults.of(LedgerSettings.class, Map.of("embedded", new LedgerSettings.Embedded(max, null)));
        return EmbeddedLedger.open(
                settings,
                new LedgerEnvironment("test", new SimpleMeterRegistry(), clock, Ticker.systemTicker(), List.of()));
    }

    @AfterEach
    void close() {
        loop.shutdownGracefully();
    }

    /** Each window of each shard has its own array, so that many ends fill the ledger with few keys. */
    private void fillWithFewKeys() {
        for (int i = 0; i < 100; i++) {
            spend(tokens.next(Duration.ofMinutes(5)));
        }
        // Far enough apart that no two are rounded to the same end.
        for (int ends = 0; ledger.health().healthy() || ends < 30; ends++) {
            for (int i = 0; i < 1000; i++) {
                spend(tokens.next(Duration.ofMinutes(60 + 16 * ends)));
            }
        }
    }

    @Test
    void usesMemoryThatOtherShardsRelease() {
        fillWithFewKeys();
        assertThat(spendLate(20)).as("while all of it is in use").contains(SpendResult.UNKNOWN);

        clock.advance(Duration.ofMinutes(7));

        assertThat(spendLate(20)).containsOnly(SpendResult.FRESH);
    }

    @Test
    void looksForMemoryInOtherShardsAtMostOnceASecond() {
        fillWithFewKeys();
        // Half a second before the minute in which the first tokens may be forgotten.
        clock.advance(Duration.ofSeconds(330).minusMillis(500));
        assertThat(spendLate(20)).as("none is over yet").contains(SpendResult.UNKNOWN);

        clock.advance(Duration.ofMillis(999));
        assertThat(spendLate(20)).as("looked 999 ms ago").contains(SpendResult.UNKNOWN);

        clock.advance(Duration.ofMillis(1));
        assertThat(spendLate(20)).containsOnly(SpendResult.FRESH);
    }

    @Test
    void isUnhealthyWithNineTenthsInUse() {
        // Nine tenths are 927 KiB. Few keys in each set, so that the memory in use takes each multiple of 256 bytes.
        EmbeddedLedger rounded = open(new ByteSize(1030 * 1024));
        String state = "";
        for (int i = 0; !state.startsWith("927 "); i++) {
            assertThat(rounded.health().healthy()).as(state).isTrue();
            rounded.spend(tokens.next(Duration.ofMinutes(60 + 16 * (i / 256))), loop, pendingSpend -> {});
            state = rounded.health().stores().values().iterator().next();
        }

        assertThat(state).isEqualTo("927 of 1030 KiB used");
        assertThat(rounded.health().healthy()).isFalse();
    }

    @Test
    void distinguishesManyKeys() {
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            byte[] key = new byte[16];
            key[i] = 1;
            keys.add(key);
        }
        for (byte[] key : keys) {
            assertThat(ledger.knownSpent(key)).isFalse();
            assertThat(spend(new Redemption(key, clock.instant().plusSeconds(60))))
                    .isEqualTo(SpendResult.FRESH);
            assertThat(ledger.knownSpent(key)).isTrue();
        }
    }

    @Test
    void reportsItsUsageAndIsUnhealthyFromNineTenths() {
        assertThat(ledger.health().stores()).isEqualTo(Map.of("embedded", "0 of 1024 KiB used"));
        boolean well = true;
        long used = 0;
        for (int minutes = 1; minutes < 400; minutes++) {
            for (int i = 0; i < 100; i++) {
                spend(tokens.next(Duration.ofMinutes(minutes)));
            }
            String state = ledger.health().stores().values().iterator().next();
            used = Long.parseLong(state.substring(0, state.indexOf(' ')));
            well = ledger.health().healthy();
            // In whole KiB; the limit itself is 943717 bytes.
            if (used < 921) {
                assertThat(well).as(state).isTrue();
            } else if (used > 921) {
                assertThat(well).as(state).isFalse();
            }
        }
        assertThat(used).isBetween(1024L - LARGEST_KIB, 1024L);
        assertThat(well).isFalse();
    }

    private List<SpendResult> spendLate(int count) {
        List<SpendResult> results = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            results.add(spend(tokens.next(Duration.ofMinutes(2048 + 256 * i))));
        }
        return results;
    }

    private SpendResult spend(Redemption redemption) {
        SpendResult[] result = new SpendResult[1];
        ledger.spend(redemption, loop, pendingSpend -> result[0] = pendingSpend.result());
        return result[0];
    }
}
