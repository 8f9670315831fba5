package dev.postern.auth.spend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.core.config.RedisSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs two gateways under load on servers with faults. */
@Tag("faults")
public abstract class LedgerFaultsFixture {

    @RegisterExtension
    protected static final SpendEventLoops LOOPS = new SpendEventLoops();

    protected SpendLedger one;
    protected SpendLedger other;
    protected SpendTraffic traffic;

    /** Returns settings with {@link SpendTraffic#DEADLINE}. */
    protected abstract LedgerSettings settings();

    /** Returns the Redis of the ledger; null for a ledger that is not in Redis. */
    protected @Nullable RedisSettings redis() {
        return null;
    }

    @BeforeEach
    void begin() {
        one = open(settings());
        other = open(settings());
        traffic = new SpendTraffic(LOOPS, one, other);
        traffic.awaitPassing("start");
    }

    @AfterEach
    void end() {
        traffic.close();
        one.close();
        other.close();
    }

    /** Checks that no token was accepted twice, that every spend has a response, and that none was much later than the deadline. */
    protected final void assertKept() {
        assertKept(traffic);
    }

    protected static void assertKept(SpendTraffic gateway) {
        gateway.assertKept();
        assertThat(gateway.late()).isZero();
    }

    protected SpendLedger open(LedgerSettings settings) {
        return open(settings, redis());
    }

    protected static SpendLedger open(LedgerSettings settings, @Nullable RedisSettings redis) {
        return SpendLedgers.open(
                settings, LOOPS.environment("test", new SimpleMeterRegistry(), InstantSource.system(), redis));
    }
}
