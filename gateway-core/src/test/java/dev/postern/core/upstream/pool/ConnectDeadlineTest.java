package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that each exchange waits for a connection as long as the connect timeout of 1 s, whichever exchange the connection was opened for
 * and whatever the exchange waited for before.
 */
class ConnectDeadlineTest {

    private static final Duration MILLI = Duration.ofMillis(1);

    private static PoolFixture pool(boolean multiplexed, int connections) {
        PoolSetup setup = new PoolSetup().connections(connections).streams(multiplexed ? 1 : 100);
        return multiplexed ? setup.http2() : setup.http1();
    }

    private static void pass(PoolFixture pool, int millis) {
        pool.pass(Duration.ofMillis(millis));
    }

    @Test
    void aConnectTimesOut() {
        PoolFixture pool = pool(false, 1);
        FakeWaiter waiter = pool.ask();
        pass(pool, 999);
        assertThat(waiter.result()).isEqualTo("waits");
        pass(pool, 1);
        assertThat(waiter.result()).isEqualTo("upstream-connect-timeout of server-0:80");
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void theTimeInTheQueueEndsAsBusy() {
        PoolFixture pool = pool(false, 1);
        pool.ask();
        pool.open(1);
        FakeWaiter queued = pool.ask();
        pass(pool, 999);
        assertThat(queued.result()).isEqualTo("waits");
        pass(pool, 1);
        assertThat(queued.result()).isEqualTo("upstream-busy");
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
    }

    @Test
    void aWaiterThatGotAConnectionOrLeftIsNotRefusedLater() {
        PoolFixture pool = pool(false, 1);
        FakeWaiter first = pool.ask();
        pool.open(1);
        FakeWaiter second = pool.ask();
        FakeWaiter left = pool.ask();
        pool.leave(left);
        pool.finish(first);
        pass(pool, 3_000);
        assertThat(second.result()).isEqualTo("#1 reused");
        assertThat(left.result()).isEqualTo("waits");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anExchangeThatTakesOverAConnectHasAnotherOneWhenThatTimesOut(boolean multiplexed) {
        PoolFixture pool = pool(multiplexed, 1);
        pool.leave(pool.ask());
        pass(pool, 800);
        FakeWaiter next = pool.ask();
        pass(pool, 200);
        assertThat(next.result()).isEqualTo("waits");
        assertThat(pool.connects()).as("the timeout belonged to the first one").isEqualTo(2);
        assertThat(pool.counts()).as("with the same permit").isEqualTo("1 open, 0 idle, 0 queued");
        if (multiplexed) {
            pool.open(2, 1);
        } else {
            pool.open(2);
        }
        assertThat(next.result()).isEqualTo("#2");
        pass(pool, 3_000);
        assertThat(next.result()).isEqualTo("#2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theTimesOfTwoConnectsDoNotAddUp(boolean multiplexed) {
        PoolFixture pool = pool(multiplexed, 1);
        pool.leave(pool.ask());
        pass(pool, 800);
        FakeWaiter next = pool.ask();
        pass(pool, 999);
        assertThat(next.result()).isEqualTo("waits");
        pool.pass(MILLI);
        assertThat(next.result()).isEqualTo("upstream-connect-timeout");
        assertThat(pool.connects()).isEqualTo(2);
        pass(pool, 200);
        assertThat(pool.counts()).as("the second connect timed out too").isEqualTo("0 open, 0 idle, 0 queued");
        assertThat(pool.connects()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theTimesInTheQueueAndInAConnectDoNotAddUp(boolean multiplexed) {
        PoolFixture pool = pool(multiplexed, 1);
        FakeWaiter first = pool.ask();
        pass(pool, 500);
        FakeWaiter second = pool.ask();
        pass(pool, 500);
        assertThat(first.result()).isEqualTo("upstream-connect-timeout of server-0:80");
        assertThat(second.result()).isEqualTo("waits");
        assertThat(pool.connects()).isEqualTo(2);
        pass(pool, 499);
        assertThat(second.result()).isEqualTo("waits");
        pass(pool, 1);
        assertThat(second.result()).isEqualTo("upstream-connect-timeout");
        assertThat(pool.counts()).as("its connect goes on").isEqualTo("1 open, 0 idle, 0 queued");
    }

    @Test
    void aWaiterOfTheQueueThatTakesOverAConnectKeepsItsTime() {
        PoolFixture pool = pool(false, 2);
        FakeWaiter first = pool.ask();
        pool.ask();
        pool.open(2);
        FakeWaiter queued = pool.ask();
        pass(pool, 500);
        pool.leave(first);
        pool.lose(pool.stream(2));
        assertThat(pool.counts()).as("it waits for the first connect").isEqualTo("1 open, 0 idle, 0 queued");
        assertThat(pool.connects()).isEqualTo(2);
        pass(pool, 499);
        assertThat(queued.result()).isEqualTo("waits");
        pass(pool, 1);
        assertThat(queued.result()).isEqualTo("upstream-connect-timeout");
    }

    @Test
    void aConnectThatFailsOtherwiseIsNotRepeatedForThoseThatTookItOver() {
        PoolFixture pool = pool(false, 1);
        pool.leave(pool.ask());
        FakeWaiter next = pool.ask();
        pool.refuse(1);
        assertThat(next.result()).isEqualTo("upstream-refused of server-0:80");
        assertThat(pool.connects()).isEqualTo(1);
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void aConnectThatEveryWaiterLeftIsNotRepeated() {
        PoolFixture pool = pool(false, 1);
        pool.leave(pool.ask());
        pool.leave(pool.ask());
        pass(pool, 1_000);
        assertThat(pool.connects()).isEqualTo(1);
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void aConnectIsRepeatedOnceForEachTimeItWasTakenOver() {
        PoolFixture pool = pool(false, 1);
        pool.leave(pool.ask());
        pass(pool, 900);
        FakeWaiter second = pool.ask();
        pass(pool, 100);
        pool.leave(second);
        pass(pool, 900);
        FakeWaiter third = pool.ask();
        pass(pool, 100);
        assertThat(pool.connects()).isEqualTo(3);
        assertThat(third.result()).isEqualTo("waits");
        pass(pool, 900);
        assertThat(third.result()).isEqualTo("upstream-connect-timeout");
    }

    @Test
    void theWaiterBehindAFailedConnectGetsItsPermit() {
        PoolFixture pool = pool(false, 1);
        FakeWaiter first = pool.ask();
        FakeWaiter second = pool.ask();
        pool.refuse(1);
        assertThat(first.result()).isEqualTo("upstream-refused of server-0:80");
        assertThat(second.result()).isEqualTo("waits");
        pool.open(2);
        assertThat(second.result()).isEqualTo("#2");
    }
}
