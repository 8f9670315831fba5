package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.upstream.connect.FakeStream;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** Tests how the exchanges of one event loop get their connections of HTTP/1.1. */
class Http1ConnectionPoolTest {

    private static PoolFixture pool() {
        return new PoolSetup().http1();
    }

    private static PoolFixture pool(int connections) {
        return new PoolSetup().connections(connections).http1();
    }

    // ---- leasing

    @Test
    void opensAConnectionForEachExchangeThatFindsNoneIdle() {
        PoolFixture pool = pool();
        FakeWaiter first = pool.ask();
        FakeWaiter second = pool.ask();
        assertThat(pool.connects()).isEqualTo(2);
        pool.open(2);
        assertThat(first.result()).isEqualTo("waits");
        assertThat(second.result()).isEqualTo("#2");
        pool.open(1);
        assertThat(first.result()).isEqualTo("#1");
        assertThat(pool.counts()).isEqualTo("2 open, 0 idle, 0 queued");
    }

    @Test
    void leasesTheNewestIdleConnectionFirst() {
        PoolFixture pool = pool();
        FakeWaiter first = pool.ask();
        FakeWaiter second = pool.ask();
        pool.open(1);
        pool.open(2);
        pool.finish(first, second);
        assertThat(pool.counts()).isEqualTo("2 open, 2 idle, 0 queued");
        assertThat(pool.ask().result()).isEqualTo("#2 reused");
        assertThat(pool.ask().result()).isEqualTo("#1 reused");
        assertThat(pool.connects()).isEqualTo(2);
    }

    @Test
    void servesWaitersInTheOrderInWhichTheyCame() {
        PoolFixture pool = pool(1);
        FakeWaiter first = pool.ask();
        FakeWaiter second = pool.ask();
        FakeWaiter third = pool.ask();
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 2 queued");
        pool.open(1);
        pool.finish(first);
        assertThat(second.result()).isEqualTo("#1 reused");
        assertThat(third.result()).isEqualTo("waits");
        pool.finish(second);
        assertThat(third.result()).isEqualTo("#1 reused");
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
    }

    @Test
    void refusesAtOnceWhenAllPlacesToWaitAreTaken() {
        PoolFixture pool = new PoolSetup().connections(1).pending(1).http1();
        pool.ask();
        FakeWaiter second = pool.ask();
        FakeWaiter third = pool.ask();
        assertThat(second.result()).isEqualTo("waits");
        assertThat(third.result()).isEqualTo("upstream-busy");
        pool.pass(PoolSetup.CONNECT.multipliedBy(2));
        assertThat(third.result()).as("refused once").isEqualTo("upstream-busy");
    }

    @Test
    void anUnusedLeaseCountsAsNoExchange() {
        PoolFixture pool = pool();
        FakeWaiter first = pool.ask();
        pool.open(1);
        first.lease().unused();
        assertThat(pool.counts()).isEqualTo("1 open, 1 idle, 0 queued");
        assertThat(pool.ask().result()).as("never used before").isEqualTo("#1");
    }

    @Test
    void namesTheEndpointOfALease() {
        PoolFixture pool = pool();
        FakeWaiter waiter = pool.ask();
        pool.open(1);
        assertThat(waiter.lease().endpoint()).isSameAs(pool.endpoint(0));
        assertThat(pool.endpoint(0).busy()).isEqualTo(1);
        pool.finish(waiter);
        assertThat(pool.endpoint(0).busy()).isZero();
    }

    @Test
    void connectsToAnotherEndpointThanTheOneToAvoid() {
        PoolFixture pool = new PoolSetup().endpoints(2).http1();
        for (int i = 1; i <= 8; i++) {
            pool.ask(new FakeWaiter(), 0, pool.endpoint(i % 2));
            assertThat(pool.opener().attempt(i).address())
                    .isEqualTo(pool.endpoint(1 - i % 2).address());
        }
    }

    // ---- waiters that want no connection any more

    @Test
    void skipsWaitersThatHaveTheirResponseAndThoseThatLeft() {
        PoolFixture pool = pool(1);
        FakeWaiter first = pool.ask();
        FakeWaiter responded = pool.ask();
        FakeWaiter left = pool.ask();
        FakeWaiter last = pool.ask();
        pool.open(1);
        responded.stopWanting();
        pool.leave(left);
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 2 queued");
        pool.finish(first);
        assertThat(last.result()).isEqualTo("#1 reused");
        assertThat(responded.result()).isEqualTo("waits");
        assertThat(left.result()).isEqualTo("waits");
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
    }

    @Test
    void aConnectWhoseWaiterLeftServesTheNextOne() {
        PoolFixture pool = pool();
        FakeWaiter gone = pool.ask();
        pool.leave(gone);
        FakeWaiter next = pool.ask();
        assertThat(pool.connects()).as("no second connect").isEqualTo(1);
        pool.open(1);
        assertThat(next.result()).isEqualTo("#1");
        assertThat(gone.result()).isEqualTo("waits");
    }

    @Test
    void aConnectWhoseWaiterLeftServesTheFirstOfTheQueue() {
        PoolFixture pool = pool(1);
        FakeWaiter gone = pool.ask();
        FakeWaiter first = pool.ask();
        pool.leave(gone);
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
        FakeWaiter late = pool.ask();
        pool.open(1);
        assertThat(first.result()).isEqualTo("#1");
        assertThat(late.result()).isEqualTo("waits");
        assertThat(pool.connects()).isEqualTo(1);
    }

    @Test
    void aConnectServesOneWaiterAtATime() {
        PoolFixture pool = pool();
        pool.leave(pool.ask());
        pool.ask();
        pool.ask();
        assertThat(pool.connects()).isEqualTo(2);
    }

    @Test
    void aConnectionThatNobodyWantsAnyMoreBecomesIdle() {
        PoolFixture pool = pool();
        pool.leave(pool.ask());
        pool.open(1);
        assertThat(pool.counts()).isEqualTo("1 open, 1 idle, 0 queued");
        FakeWaiter responded = pool.ask(new FakeWaiter().fresh(true));
        responded.stopWanting();
        pool.open(2);
        assertThat(pool.counts()).isEqualTo("2 open, 2 idle, 0 queued");
        assertThat(responded.result()).isEqualTo("waits");
        assertThat(pool.endpoint(0).busy()).isZero();
    }

    @Test
    void leavingTwiceChangesNothing() {
        PoolFixture pool = pool(1);
        FakeWaiter first = pool.ask();
        FakeWaiter second = pool.ask();
        pool.leave(second);
        pool.leave(second);
        pool.leave(first);
        pool.leave(first);
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
        pool.open(1);
        assertThat(pool.counts()).isEqualTo("1 open, 1 idle, 0 queued");
    }

    // ---- connections that end

    @Test
    void aConnectionLostWhileIdleIsNotLeased() {
        PoolFixture pool = pool();
        FakeWaiter first = pool.ask();
        FakeStream connection = pool.open(1);
        pool.finish(first);
        pool.lose(connection);
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
        pool.ask();
        assertThat(pool.connects()).isEqualTo(2);
    }

    @Test
    void aConnectionLostWhileLentGivesItsPermitToAWaiter() {
        PoolFixture pool = pool(1);
        pool.ask();
        FakeStream connection = pool.open(1);
        FakeWaiter waiting = pool.ask();
        pool.lose(connection);
        assertThat(pool.connects()).isEqualTo(2);
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
        assertThat(pool.endpoint(0).busy()).isZero();
        pool.open(2);
        assertThat(waiting.result()).isEqualTo("#2");
    }

    @Test
    void aConnectionThatEndsWithItsResponseIsNotReused() {
        PoolFixture pool = pool(1);
        FakeWaiter first = pool.ask();
        FakeStream connection = pool.open(1);
        FakeWaiter second = pool.ask();
        first.stream().finishLast();
        pool.run();
        assertThat(connection.closed()).isTrue();
        assertThat(second.result()).isEqualTo("waits");
        pool.open(2);
        assertThat(second.result()).isEqualTo("#2");
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
    }

    @Test
    void aClosedChannelWhoseEventIsYetToComeIsNotLeased() {
        PoolFixture pool = pool();
        FakeWaiter first = pool.ask();
        FakeStream connection = pool.open(1);
        pool.finish(first);
        pool.opener().attempt(1).channel().close();
        FakeWaiter second = pool.ask();
        assertThat(second.result()).isEqualTo("waits");
        assertThat(connection.closed()).isTrue();
        pool.open(2);
        assertThat(second.result()).isEqualTo("#2");
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
    }

    // ---- requests that can't be sent again, and those that met a stale connection

    @Test
    void onlyAnUnrepeatableRequestLooksWhetherTheUpstreamEndedTheConnection() {
        PoolFixture pool = pool();
        FakeWaiter first = pool.ask();
        FakeStream connection = pool.open(1);
        pool.finish(first);
        connection.endUnnoticed();
        FakeWaiter repeatable = pool.ask();
        assertThat(repeatable.result()).isEqualTo("#1 reused");
        pool.finish(repeatable);
        FakeWaiter unrepeatable = pool.ask(new FakeWaiter().unrepeatable(true));
        assertThat(connection.closed()).isTrue();
        pool.open(2);
        assertThat(unrepeatable.result()).isEqualTo("#2");
    }

    @Test
    void anUnrepeatableRequestTakesALivingIdleConnection() {
        PoolFixture pool = pool();
        FakeWaiter first = pool.ask();
        pool.open(1);
        pool.finish(first);
        assertThat(pool.ask(new FakeWaiter().unrepeatable(true)).result()).isEqualTo("#1 reused");
    }

    @Test
    void aStaleConnectionIsClosedAfterTheEventsOfThisTurn() {
        PoolFixture pool = pool();
        FakeWaiter first = pool.ask();
        FakeStream connection = pool.open(1);
        pool.finish(first);
        connection.endUnnoticed();
        pool.pool(0).acquire(new FakeWaiter().unrepeatable(true), null, pool.now());
        assertThat(connection.closed()).isFalse();
        assertThat(pool.connects()).as("opened before the old one is closed").isEqualTo(2);
        pool.run();
        assertThat(connection.closed()).isTrue();
    }

    @Test
    void aWaiterWithAnUnrepeatableRequestGetsNoConnectionThatEndedMeanwhile() {
        PoolFixture pool = pool(1);
        FakeWaiter first = pool.ask();
        FakeStream connection = pool.open(1);
        FakeWaiter second = pool.ask(new FakeWaiter().unrepeatable(true));
        connection.endUnnoticed();
        pool.finish(first);
        assertThat(connection.closed()).isTrue();
        pool.open(2);
        assertThat(second.result()).isEqualTo("#2");

        FakeWaiter third = pool.ask(new FakeWaiter().unrepeatable(true));
        pool.finish(second);
        assertThat(third.result()).as("of a living connection").isEqualTo("#2 reused");
    }

    @Test
    void aFreshWaiterGetsANewConnection() {
        PoolFixture pool = pool();
        FakeWaiter first = pool.ask();
        pool.open(1);
        pool.finish(first);
        FakeWaiter fresh = pool.ask(new FakeWaiter().fresh(true));
        assertThat(fresh.result()).isEqualTo("waits");
        pool.open(2);
        assertThat(fresh.result()).isEqualTo("#2");
    }

    @Test
    void aUsedConnectionIsClosedForAFreshWaiter() {
        PoolFixture pool = pool(1);
        FakeWaiter first = pool.ask();
        FakeStream connection = pool.open(1);
        FakeWaiter fresh = pool.ask(new FakeWaiter().fresh(true));
        FakeWaiter after = pool.ask();
        pool.finish(first);
        assertThat(connection.closed()).isTrue();
        pool.open(2);
        assertThat(fresh.result()).isEqualTo("#2");
        pool.finish(fresh);
        assertThat(after.result()).isEqualTo("#2 reused");
    }

    // ---- counts

    @Test
    void countsConnectsAndRequests() {
        PoolFixture pool = pool();
        FakeWaiter first = pool.ask();
        pool.open(1);
        pool.finish(first);
        pool.ask();
        pool.ask();
        pool.refuse(2);
        UpstreamStats stats = pool.state().stats();
        assertThat(stats.connects()).as("opened").isEqualTo(1);
        assertThat(stats.requests()).isEqualTo(2);
        assertThat(stats.reuseRatio()).isEqualTo(0.5);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        stats.register(meters, "app");
        assertThat(meters.get("postern.upstream.connects")
                        .tag("result", "failed")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
    }
}
