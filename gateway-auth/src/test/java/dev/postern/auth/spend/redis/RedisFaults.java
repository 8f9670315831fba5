package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.Loops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.Traffic;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two gateways under load on servers to which things happen. */
@Tag("faults")
abstract class RedisFaults {

    @RegisterExtension
    static final Loops LOOPS = new Loops();

    /** Longer than the default, since other builds may share this machine; what is counted doesn't depend on it. */
    static final Duration DEADLINE = Duration.ofMillis(300);

    private static final Logger LOG = LoggerFactory.getLogger(RedisFaults.class);

    protected SpendLedger one;
    protected SpendLedger other;
    private Traffic traffic;

    protected abstract Patient settings();

    @BeforeEach
    void begin() {
        one = open();
        other = open();
        traffic = new Traffic(LOOPS, one, other);
        awaitPassing("start");
    }

    @AfterEach
    void end() {
        traffic.close();
        one.close();
        other.close();
    }

    /** Nothing twice, all answered, none much later than the deadline. */
    protected void assertKept() {
        traffic.stop();
        assertThat(traffic.thrown()).isEmpty();
        Awaitility.await().untilAsserted(() -> assertThat(traffic.responded()).isEqualTo(traffic.asked()));
        assertThat(traffic.doubles()).isEmpty();
        assertThat(traffic.accepted()).isGreaterThan(100);
        assertThat(traffic.late()).isZero();
        LOG.info("{} spends, {} accepted, {} unknown", traffic.asked(), traffic.accepted(), traffic.unknown());
    }

    protected void awaitPassing(String after) {
        long start = System.nanoTime();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(traffic::passes);
        LOG.info("99 of 100 pass {} ms after {}", (System.nanoTime() - start) / 1_000_000, after);
    }

    protected void awaitUnknown(int count) {
        int before = traffic.unknown();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> traffic.unknown() - before >= count);
    }

    private SpendLedger open() {
        return settings().open("test", new SimpleMeterRegistry(), InstantSource.system(), LOOPS.all());
    }
}
