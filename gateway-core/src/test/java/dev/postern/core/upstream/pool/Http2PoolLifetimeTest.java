package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.upstream.connect.FakeConnection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests when connections of HTTP/2 get no further exchanges and when they are closed. */
class Http2PoolLifetimeTest {

    // ---- connections that end

    @Test
    void aConnectionThatTheUpstreamEndsWithGoawayFinishesItsExchanges() {
        PoolFixture pool = new PoolSetup().http2();
        List<FakeWaiter> waiters = pool.ask(2);
        FakeConnection connection = pool.open(1, 100);
        connection.goAway();
        assertThat(connection.closed()).isFalse();
        FakeWaiter next = pool.ask();
        assertThat(next.result()).isEqualTo("waits");
        pool.finish(waiters.get(0));
        assertThat(connection.closed()).isFalse();
        pool.finish(waiters.get(1));
        assertThat(connection.closed()).isTrue();
        pool.open(2, 100);
        assertThat(next.result()).isEqualTo("#2");
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
    }

    @Test
    void anIdleConnectionThatTheUpstreamEndsWithGoawayIsClosed() {
        PoolFixture pool = new PoolSetup().http2();
        for (int i = 1; i <= 3; i++) {
            FakeWaiter waiter = pool.ask();
            FakeConnection connection = pool.open(i, 100);
            pool.finish(waiter);
            pool.pass(Duration.ofSeconds(10));
            connection.goAway();
            assertThat(connection.closed()).isTrue();
            assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
        }
        assertThat(pool.state().idleNanos(pool.now()))
                .as("learnt")
                .isEqualTo(Duration.ofSeconds(8).toNanos());
    }

    @Test
    void learnsFromIdleConnectionsThatTheUpstreamCloses() {
        PoolFixture pool = new PoolSetup().http2();
        for (int i = 1; i <= 3; i++) {
            FakeWaiter waiter = pool.ask();
            FakeConnection connection = pool.open(i, 100);
            pool.finish(waiter);
            pool.pass(Duration.ofSeconds(10));
            pool.lose(connection);
        }
        assertThat(pool.state().idleNanos(pool.now()))
                .isEqualTo(Duration.ofSeconds(8).toNanos());
    }

    @Test
    void anUnresponsiveConnectionGetsNoNewExchanges() {
        PoolFixture pool = new PoolSetup().http2();
        FakeWaiter waiter = pool.ask();
        FakeConnection connection = pool.open(1, 100);
        connection.fallSilent();
        assertThat(pool.ask().result()).isEqualTo("waits");
        connection.allow(100);
        assertThat(pool.connects()).isEqualTo(2);
        assertThat(connection.closed()).isFalse();
        pool.finish(waiter);
        assertThat(connection.closed()).isTrue();
        assertThat(pool.state().idleNanos(pool.now()))
                .isEqualTo(Duration.ofSeconds(55).toNanos());
    }

    @Test
    void anUnresponsiveIdleConnectionIsClosed() {
        PoolFixture pool = new PoolSetup().http2();
        FakeWaiter waiter = pool.ask();
        FakeConnection connection = pool.open(1, 100);
        pool.finish(waiter);
        connection.fallSilent();
        assertThat(connection.closed()).isTrue();
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void aLostConnectionGivesItsPermitAndItsStreamsBack() {
        PoolFixture pool = new PoolSetup().connections(1).http2();
        List<FakeWaiter> waiters = pool.ask(3);
        FakeConnection connection = pool.open(1, 2);
        pool.lose(connection);
        assertThat(pool.endpoint(0).busy()).isZero();
        assertThat(pool.connects()).isEqualTo(2);
        pool.open(2, 2);
        assertThat(FakeWaiter.results(waiters)).containsExactly("#1", "#1 reused", "#2");
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
    }

    // ---- connections that the gateway ends

    @Test
    void anIdleConnectionIsClosedAfterItsTime() {
        PoolFixture pool = new PoolSetup().idle(Duration.ofSeconds(10)).http2();
        List<FakeWaiter> waiters = pool.ask(2);
        FakeConnection connection = pool.open(1, 100);
        pool.finish(waiters.get(0));
        pool.pass(Duration.ofSeconds(30));
        assertThat(connection.closed()).as("one stream is in use").isFalse();
        pool.finish(waiters.get(1));
        pool.pass(Duration.ofMillis(9_999));
        assertThat(pool.counts()).isEqualTo("1 open, 1 idle, 0 queued");
        pool.pass(Duration.ofSeconds(1));
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void anIdleConnectionThatExpiredSinceTheLastLookIsNotLeased() {
        PoolFixture pool = new PoolSetup().idle(Duration.ofMillis(300)).http2();
        pool.finish(leased(pool, 1, 1));
        pool.pass(Duration.ofMillis(300));
        assertThat(pool.ask().result()).isEqualTo("waits");
        assertThat(pool.connection(1).closed()).isTrue();
        assertThat(pool.connects()).isEqualTo(2);
    }

    private static FakeWaiter leased(PoolFixture pool, int connection, int streams) {
        FakeWaiter waiter = pool.ask();
        pool.open(connection, streams);
        return waiter;
    }

    @Test
    void anOldConnectionFinishesItsExchanges() {
        PoolFixture pool = new PoolSetup().lifetime(Duration.ofSeconds(20)).http2();
        List<FakeWaiter> waiters = pool.ask(2);
        FakeConnection connection = pool.open(1, 100);
        pool.pass(Duration.ofSeconds(20));
        pool.finish(waiters.get(0));
        assertThat(connection.closed()).isFalse();
        assertThat(pool.ask().result()).isEqualTo("waits");
        pool.finish(waiters.get(1));
        assertThat(connection.closed()).isTrue();
    }

    @Test
    void withoutKeepAliveEachConnectionServesOneExchange() {
        PoolFixture pool = new PoolSetup().keepAlive(false).http2();
        List<FakeWaiter> waiters = pool.ask(2);
        assertThat(pool.connects()).isEqualTo(2);
        FakeConnection connection = pool.open(1, 100);
        assertThat(FakeWaiter.results(waiters)).containsExactly("#1", "waits");
        pool.finish(waiters.get(0));
        assertThat(connection.closed()).isTrue();
    }

    @Test
    void aConnectionServesNoMoreThanItsRequests() {
        PoolFixture pool = new PoolSetup().requests(2).http2();
        List<FakeWaiter> waiters = pool.ask(5);
        pool.open(1, 100);
        pool.open(2, 100);
        pool.open(3, 100);
        assertThat(FakeWaiter.results(waiters)).containsExactly("#1", "#1 reused", "#2", "#2 reused", "#3");
        pool.finish(waiters.get(0), waiters.get(1), waiters.get(2), waiters.get(3), waiters.get(4));
        assertThat(pool.counts()).as("the third may serve once more").isEqualTo("1 open, 1 idle, 0 queued");
        assertThat(pool.ask().result()).isEqualTo("#3 reused");
    }

    @Test
    void waitersOfTheQueueAreRequestsOfAConnectionToo() {
        PoolFixture pool = new PoolSetup().requests(3).connections(1).http2();
        List<FakeWaiter> waiters = pool.ask(5);
        FakeConnection connection = pool.open(1, 1);
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 4 queued");
        connection.allow(100);
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 2 queued");
        List<FakeWaiter> served =
                waiters.stream().filter(one -> one.result().startsWith("#1")).toList();
        assertThat(served).hasSize(3);
        pool.finish(served.get(0), served.get(1));
        assertThat(pool.counts()).as("it served three").isEqualTo("1 open, 0 idle, 2 queued");
        pool.finish(served.get(2));
        assertThat(connection.closed()).isTrue();
        pool.open(2, 100);
        assertThat(FakeWaiter.results(waiters)).contains("#2", "#2 reused");
    }

    @Test
    void connectionsOfARemovedEndpointEndWithTheirExchanges() {
        PoolFixture pool = new PoolSetup().http2();
        FakeWaiter waiter = leased(pool, 1, 100);
        pool.endpoint(0).retire();
        pool.pool(0).endpointsGone();
        pool.run();
        assertThat(pool.connection(1).closed()).isFalse();
        pool.finish(waiter);
        assertThat(pool.connection(1).closed()).isTrue();
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void idleConnectionsOfARemovedEndpointAreClosed() {
        PoolFixture pool = new PoolSetup().http2();
        pool.finish(leased(pool, 1, 100));
        pool.endpoint(0).retire();
        pool.pool(0).endpointsGone();
        pool.run();
        assertThat(pool.connection(1).closed()).isTrue();
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    /** The upstream was replaced while its last connection was being opened, and the exchange that wanted it left. */
    @Test
    void aConnectionThatOpensToARemovedEndpointIsClosedWhenNobodyWantsIt() {
        PoolFixture pool = new PoolSetup().http2();
        pool.leave(pool.ask());
        pool.endpoint(0).retire();
        pool.pool(0).endpointsGone();
        FakeConnection connection = pool.open(1, 100);
        assertThat(connection.closed()).isTrue();
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void aConnectionThatOpensToARemovedEndpointServesTheExchangesThatCameBefore() {
        PoolFixture pool = new PoolSetup().http2();
        FakeWaiter waiter = pool.ask();
        pool.endpoint(0).retire();
        pool.pool(0).endpointsGone();
        FakeConnection connection = pool.open(1, 100);
        assertThat(waiter.result()).isEqualTo("#1");
        pool.pass(Duration.ofSeconds(5));
        pool.finish(waiter);
        assertThat(connection.closed()).isTrue();
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void everyExpiredConnectionIsClosedWhenOneIsWanted() {
        PoolFixture pool =
                new PoolSetup().streams(1).idle(Duration.ofMillis(300)).http2();
        List<FakeWaiter> waiters = pool.ask(2);
        pool.open(1, 1);
        pool.open(2, 1);
        pool.finish(waiters.get(0), waiters.get(1));
        pool.pass(Duration.ofMillis(300));
        pool.ask();
        assertThat(pool.connection(1).closed()).isTrue();
        assertThat(pool.connection(2).closed()).isTrue();
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
    }

    @Test
    void onlyAnIdleConnectionIsClosedForAnotherLoop() {
        PoolFixture pool = new PoolSetup().streams(1).http2();
        List<FakeWaiter> waiters = pool.ask(2);
        pool.open(1, 1);
        pool.open(2, 1);
        pool.finish(waiters.get(1));
        pool.pool(0).permitWanted();
        pool.run();
        assertThat(pool.connection(2).closed()).isTrue();
        pool.finish(waiters.get(0));
        assertThat(pool.ask().result()).isEqualTo("#1 reused");
    }
}
