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

/** Two gateways under load on servers to which things happen. */
@Tag("faults")
public abstract class LedgerFaults {

    @RegisterExtension
    protected static final Loops LOOPS = new Loops();

    protected SpendLedger one;
    protected SpendLedger other;
    protected Traffic traffic;

    /** Settings with {@link Traffic#DEADLINE}. */
    protected abstract LedgerSettings settings();

    /** Returns the Redis of the ledger; null for a ledger that is not in Redis. */
    protected @Nullable RedisSettings redis() {
        return null;
    }

    @BeforeEach
    void begin() {
        one = open(settings());
        other = open(settings());
        traffic = new Traffic(LOOPS, one, other);
        traffic.awaitPassing("start");
    }

    @AfterEach
    void end() {
        traffic.close();
        one.close();
        other.close();
    }

    /** Nothing twice, all answered, none much later than the deadline. */
    protected final void assertKept() {
        assertKept(traffic);
    }

    protected static void assertKept(Traffic of) {
        of.assertKept();
        assertThat(of.late()).isZero();
    }

    protected SpendLedger open(LedgerSettings settings) {
        return SpendLedgers.open(
                settings, LOOPS.environment("test", new SimpleMeterRegistry(), InstantSource.system(), redis()));
    }
}
