package dev.postern.auth.budget;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.TestExchange;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.rate.Gcra;
import dev.postern.core.route.Route;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests a network that sends forged tokens, on an event loop whose idle time the test sets. Budgets refill per hour, so that no test waits.
 */
class DeprioritizedVerificationTest {

    private static final Route ROUTE = TestExchange.route("*/", Route.Token.REQUIRED, null);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final FailureBudget budget = new FailureBudget(Gcra.of(3, TimeUnit.HOURS.toMicros(1), 2), 42);
    private long cpu;
    private int arithmetic;
    private int refused;
    private @Nullable IdleTaskQueue queue;
    private final DeprioritizedVerification verification = new DeprioritizedVerification(budget, registry, loop -> {
        queue = new IdleTaskQueue(loop, loop.ticker(), () -> cpu);
        return queue;
    });

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void forgedTokensBeyondTheBudgetAreNotVerifiedOnABusyLoop() {
        for (int i = 0; i < 2000; i++) {
            present(exchange(), false);
        }
        elapse(IdleTaskQueue.LONGEST_WAIT_NANOS, IdleTaskQueue.LONGEST_WAIT_NANOS);

        assertThat(arithmetic).isEqualTo(3);
        assertThat(refused).isEqualTo(1997);
        assertThat(counted("unreached")).isEqualTo(1997);
        assertThat(counted("invalid")).isZero();
    }

    @Test
    void verifiesValidTokensOfTheSameNetworkInIdleTime() {
        for (int i = 0; i < 10; i++) {
            present(exchange(), false);
        }
        elapse(2_000_000, 0);
        int countBefore = arithmetic;

        present(exchange(), true);
        assertThat(arithmetic).as("it has to wait").isEqualTo(countBefore);
        elapse(2_000_000, 0);

        assertThat(arithmetic).isEqualTo(countBefore + 1);
        assertThat(counted("good")).isEqualTo(1);
        assertThat(counted("invalid")).isEqualTo(7);
        assertThat(refused).isZero();
    }

    @Test
    void validTokensUseNoBudget() {
        for (int i = 0; i < 100; i++) {
            present(exchange(), true);
        }

        assertThat(arithmetic).isEqualTo(100);
    }

    @Test
    void skipsClientsThatDisconnected() {
        for (int i = 0; i < 3; i++) {
            present(exchange(), false);
        }
        Exchange gone = exchange();
        present(gone, false);
        gone.end();
        elapse(2_000_000, 0);

        assertThat(arithmetic).isEqualTo(3);
    }

    @Test
    void reportsWhenItsQueueIsFull() {
        for (int i = 0; i < 3; i++) {
            present(exchange(), false);
        }
        for (int i = 0; i < IdleTaskQueue.MAX; i++) {
            assertThat(verification.refusesUnverified(exchange())).isFalse();
            present(exchange(), false);
        }
        assertThat(verification.refusesUnverified(exchange())).isTrue();

        elapse(IdleTaskQueue.LONGEST_WAIT_NANOS, IdleTaskQueue.LONGEST_WAIT_NANOS);
        assertThat(verification.refusesUnverified(exchange())).isFalse();
    }

    @Test
    void refusesUnverifiedUnlessTheClientDisconnected() {
        Exchange gone = exchange();
        verification.refuse(gone, () -> refused++);
        verification.refuse(exchange(), () -> refused++);
        gone.end();
        assertThat(refused).as("they wait for the end of the iteration").isZero();

        channel.runScheduledPendingTasks();

        assertThat(refused).isEqualTo(1);
        assertThat(counted("unreached")).isEqualTo(2);
    }

    private void present(Exchange exchange, boolean good) {
        if (verification.withinBudget(exchange)) {
            arithmetic++;
            verification.verified(exchange, good);
        } else {
            verification.defer(exchange, () -> verifyLater(exchange, good), () -> refused++);
        }
    }

    private void verifyLater(Exchange exchange, boolean good) {
        arithmetic++;
        verification.verifiedWhenIdle(exchange, good);
    }

    private void elapse(long wallNanos, long cpuNanos) {
        ticker.advance(wallNanos, TimeUnit.NANOSECONDS);
        cpu += cpuNanos;
        for (int i = 0; i < IdleTaskQueue.MAX / IdleTaskQueue.LATE_A_LOOK; i++) {
            Objects.requireNonNull(queue).check();
        }
    }

    private double counted(String result) {
        return registry.get("postern.token.deprioritized")
                .tag("result", result)
                .counter()
                .count();
    }

    private Exchange exchange() {
        return TestExchange.get(REVERSE, ROUTE, channel.eventLoop()).exchange();
    }
}
