package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Refusal;
import dev.postern.core.upstream.connect.FakeConnection;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how the exchanges of one event loop share connections of HTTP/2. */
class Http2ConnectionPoolTest {

    private static List<FakeWaiter> ask(PoolFixture pool, int exchanges) {
        return IntStream.range(0, exchanges).mapToObj(i -> pool.ask()).toList();
    }

    private static List<String> results(List<FakeWaiter> waiters) {
        return waiters.stream().map(FakeWaiter::result).toList();
    }

    // ---- streams as permits

    @Test
    void exchangesThatComeWhileAConnectionOpensWaitForIt() {
        PoolFixture pool = new PoolSetup().streams(3).http2();
        List<FakeWaiter> waiters = ask(pool, 4);
        assertThat(pool.connects()).as("three streams each").isEqualTo(2);
        pool.open(1, 100);
        assertThat(results(waiters)).containsExactly("#1", "#1 reused", "#1 reused", "waits");
        pool.open(2, 100);
        assertThat(results(waiters)).last().isEqualTo("#2");
        assertThat(pool.counts()).isEqualTo("2 open, 0 idle, 0 queued");
    }

    @Test
    void aConnectionIsReadyWithTheSettingsOfTheUpstream() {
        PoolFixture pool = new PoolSetup().http2();
        FakeWaiter waiter = pool.ask();
        pool.accept(1);
        assertThat(waiter.result()).isEqualTo("waits");
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
        assertThat(pool.connection(1).terms().name()).isEqualTo("app");
        assertThat(pool.connection(1).terms().streams()).isEqualTo(100);
        assertThat(pool.connection(1).terms().patience()).isEqualTo(PoolSetup.CONNECT);
        assertThat(pool.connection(1).terms().silence()).isEqualTo(Duration.ofSeconds(30));
        pool.connection(1).ready(1);
        assertThat(waiter.result()).isEqualTo("#1");
    }

    @Test
    void theFirstConnectionWithAFreeStreamIsUsed() {
        PoolFixture pool = new PoolSetup().streams(2).http2();
        List<FakeWaiter> waiters = ask(pool, 3);
        pool.open(1, 2);
        pool.open(2, 2);
        pool.finish(waiters.get(1));
        assertThat(results(ask(pool, 2))).containsExactly("#1 reused", "#2 reused");
        assertThat(pool.connects()).isEqualTo(2);
    }

    @Test
    void anUpstreamThatAllowsFewerStreamsGetsFewer() {
        PoolFixture pool = new PoolSetup().connections(2).http2();
        List<FakeWaiter> waiters = ask(pool, 4);
        pool.open(1, 1);
        assertThat(results(waiters)).containsExactly("#1", "waits", "waits", "waits");
        assertThat(pool.connects()).isEqualTo(2);
        pool.open(2, 2);
        assertThat(results(waiters)).containsExactly("#1", "#2", "#2 reused", "waits");
        assertThat(pool.counts()).as("no permit for a third").isEqualTo("2 open, 0 idle, 1 queued");
        pool.finish(waiters.get(0));
        assertThat(results(waiters)).last().isEqualTo("#1 reused");
    }

    @Test
    void anUpstreamThatAllowsMoreStreamsGetsTheWaiters() {
        PoolFixture pool = new PoolSetup().connections(1).http2();
        List<FakeWaiter> waiters = ask(pool, 3);
        FakeConnection connection = pool.open(1, 1);
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 2 queued");
        connection.allow(2);
        assertThat(results(waiters)).containsExactly("#1", "#1 reused", "waits");
        connection.allow(1);
        pool.finish(waiters.get(0));
        assertThat(results(waiters)).as("two streams were one too many").last().isEqualTo("waits");
        pool.finish(waiters.get(1));
        assertThat(results(waiters)).last().isEqualTo("#1 reused");
    }

    @Test
    void oneStreamServesOneExchangeAfterTheOther() {
        PoolFixture pool = new PoolSetup().http2();
        FakeWaiter waiter = pool.ask();
        FakeConnection connection = pool.open(1, 100);
        for (int i = 0; i < 5; i++) {
            pool.finish(waiter);
            waiter = pool.ask();
        }
        assertThat(connection.opened()).hasSize(1);
        pool.ask();
        assertThat(connection.opened()).hasSize(2);
        assertThat(pool.endpoint(0).busy()).isEqualTo(2);
    }

    @Test
    void namesTheEndpointOfALease() {
        PoolFixture pool = new PoolSetup().http2();
        FakeWaiter waiter = pool.ask();
        pool.open(1, 100);
        assertThat(waiter.lease().endpoint()).isSameAs(pool.endpoint(0));
        waiter.lease().unused();
        assertThat(pool.counts()).isEqualTo("1 open, 1 idle, 0 queued");
        assertThat(pool.ask().result()).as("never used before").isEqualTo("#1");
    }

    @Test
    void waitersThatHaveTheirResponseGetNoStream() {
        PoolFixture pool = new PoolSetup().http2();
        List<FakeWaiter> waiters = ask(pool, 3);
        waiters.get(1).stopWanting();
        pool.leave(waiters.get(2));
        pool.open(1, 100);
        assertThat(results(waiters)).containsExactly("#1", "waits", "waits");
        assertThat(pool.endpoint(0).busy()).isEqualTo(1);
    }

    @Test
    void aPlaceBesideAConnectIsForTheFirstOfTheQueue() {
        PoolFixture pool = new PoolSetup().connections(1).streams(2).http2();
        List<FakeWaiter> waiters = ask(pool, 3);
        pool.leave(waiters.get(0));
        FakeWaiter late = pool.ask();
        pool.open(1, 2);
        assertThat(results(waiters)).containsExactly("waits", "#1", "#1 reused");
        assertThat(late.result()).isEqualTo("waits");
    }

    @Test
    void aConnectionThatNobodyWantsAnyMoreBecomesIdle() {
        PoolFixture pool = new PoolSetup().idle(Duration.ofSeconds(5)).http2();
        pool.leave(pool.ask());
        FakeConnection connection = pool.open(1, 100);
        assertThat(pool.counts()).isEqualTo("1 open, 1 idle, 0 queued");
        pool.pass(Duration.ofMillis(4_999));
        assertThat(connection.closed()).isFalse();
        pool.pass(Duration.ofSeconds(1));
        assertThat(connection.closed()).isTrue();
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    // ---- which connection

    @Test
    void aStalledConnectionIsUsedOnlyWhenNoOtherCanBeOpened() {
        PoolFixture pool = new PoolSetup().connections(2).http2();
        FakeWaiter first = pool.ask();
        pool.open(1, 100).stall(true);
        FakeWaiter second = pool.ask();
        assertThat(second.result()).isEqualTo("waits");
        pool.open(2, 100).stall(true);
        assertThat(second.result()).isEqualTo("#2");
        assertThat(pool.ask().result())
                .as("both are stalled, no permit is left")
                .isEqualTo("#1 reused");
        pool.connection(2).stall(false);
        assertThat(pool.ask().result()).isEqualTo("#2 reused");
        assertThat(first.result()).isEqualTo("#1");
    }

    @Test
    void aFreshWaiterGetsAConnectionThatIsInUse() {
        PoolFixture pool = new PoolSetup().http2();
        FakeWaiter first = pool.ask();
        pool.open(1, 100);
        assertThat(pool.ask(new FakeWaiter().fresh(true)).result()).isEqualTo("#1 reused");
        PoolFixture other = new PoolSetup().http2();
        FakeWaiter done = other.ask();
        other.open(1, 100);
        other.finish(done);
        FakeWaiter fresh = other.ask(new FakeWaiter().fresh(true));
        assertThat(fresh.result()).as("an idle one may be stale").isEqualTo("waits");
        assertThat(other.connects()).isEqualTo(2);
        assertThat(first.result()).isEqualTo("#1");
    }

    @Test
    void anyEndpointServesWhenNoConnectionCanBeOpened() {
        PoolFixture pool = new PoolSetup().connections(1).endpoints(2).http2();
        pool.ask(new FakeWaiter(), 0, pool.endpoint(1));
        pool.open(1, 100);
        FakeWaiter other = pool.ask(new FakeWaiter(), 0, pool.endpoint(0));
        assertThat(other.result()).isEqualTo("#1 reused");
    }

    // ---- connections that end

    @Test
    void aConnectionThatTheUpstreamEndsWithGoawayFinishesItsExchanges() {
        PoolFixture pool = new PoolSetup().http2();
        List<FakeWaiter> waiters = ask(pool, 2);
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
        List<FakeWaiter> waiters = ask(pool, 3);
        FakeConnection connection = pool.open(1, 2);
        pool.lose(connection);
        assertThat(pool.endpoint(0).busy()).isZero();
        assertThat(pool.connects()).isEqualTo(2);
        pool.open(2, 2);
        assertThat(results(waiters)).containsExactly("#1", "#1 reused", "#2");
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
    }

    @Test
    void aConnectionThatEndsBeforeItsSettingsRefusesItsWaiters() {
        PoolFixture pool = new PoolSetup().connections(1).http2();
        List<FakeWaiter> waiters = ask(pool, 2);
        pool.accept(1);
        pool.connection(1).goAway();
        assertThat(results(waiters)).as("the end of the connection follows").containsOnly("waits");
        pool.connection(1).fallSilent();
        assertThat(results(waiters)).containsOnly("waits");
        pool.connection(1).lose(Refusal.UPSTREAM_MALFORMED);
        assertThat(results(waiters)).containsOnly("upstream-malformed of server-0:80");
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
        pool.pass(Duration.ofSeconds(3));
        assertThat(results(waiters)).as("refused once").containsOnly("upstream-malformed of server-0:80");
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void theSettingsShareTheTimeoutOfTheConnect() {
        PoolFixture pool = new PoolSetup().http2();
        FakeWaiter waiter = pool.ask();
        pool.pass(Duration.ofMillis(400));
        pool.accept(1);
        pool.pass(Duration.ofMillis(599));
        assertThat(waiter.result()).isEqualTo("waits");
        pool.pass(Duration.ofMillis(1));
        assertThat(waiter.result()).isEqualTo("upstream-connect-timeout of server-0:80");
        assertThat(pool.connection(1).closed()).isFalse();
        assertThat(pool.opener().attempt(1).channel().isActive()).isFalse();
        pool.lose(pool.connection(1));
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void settingsThatComeTooLateChangeNothing() {
        PoolFixture pool = new PoolSetup().http2();
        pool.ask();
        pool.accept(1);
        pool.pass(PoolSetup.CONNECT);
        pool.connection(1).ready(100);
        pool.run();
        assertThat(pool.connection(1).closed()).isTrue();
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void theTimeoutOfTheSettingsEndsWithThem() {
        PoolFixture pool = new PoolSetup().http2();
        FakeWaiter waiter = pool.ask();
        FakeConnection connection = pool.open(1, 100);
        pool.pass(Duration.ofSeconds(5));
        assertThat(connection.closed()).isFalse();
        assertThat(pool.opener().attempt(1).channel().isActive()).isTrue();
        assertThat(waiter.result()).isEqualTo("#1");
    }

    // ---- connections that the gateway ends

    @Test
    void anIdleConnectionIsClosedAfterItsTime() {
        PoolFixture pool = new PoolSetup().idle(Duration.ofSeconds(10)).http2();
        List<FakeWaiter> waiters = ask(pool, 2);
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
        List<FakeWaiter> waiters = ask(pool, 2);
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
        List<FakeWaiter> waiters = ask(pool, 2);
        assertThat(pool.connects()).isEqualTo(2);
        FakeConnection connection = pool.open(1, 100);
        assertThat(results(waiters)).containsExactly("#1", "waits");
        pool.finish(waiters.get(0));
        assertThat(connection.closed()).isTrue();
    }

    @Test
    void aConnectionServesNoMoreThanItsRequests() {
        PoolFixture pool = new PoolSetup().requests(2).http2();
        List<FakeWaiter> waiters = ask(pool, 5);
        pool.open(1, 100);
        pool.open(2, 100);
        pool.open(3, 100);
        assertThat(results(waiters)).containsExactly("#1", "#1 reused", "#2", "#2 reused", "#3");
        pool.finish(waiters.get(0), waiters.get(1), waiters.get(2), waiters.get(3), waiters.get(4));
        assertThat(pool.counts()).as("the third may serve once more").isEqualTo("1 open, 1 idle, 0 queued");
        assertThat(pool.ask().result()).isEqualTo("#3 reused");
    }

    @Test
    void waitersOfTheQueueAreRequestsOfAConnectionToo() {
        PoolFixture pool = new PoolSetup().requests(3).connections(1).http2();
        List<FakeWaiter> waiters = ask(pool, 5);
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
        assertThat(results(waiters)).contains("#2", "#2 reused");
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

    // ---- several connections

    @Test
    void aWaiterThatHasItsResponseLeavesItsStreamToTheQueue() {
        PoolFixture pool = new PoolSetup().connections(1).streams(2).http2();
        List<FakeWaiter> waiters = ask(pool, 3);
        waiters.get(0).stopWanting();
        pool.open(1, 2);
        assertThat(results(waiters)).containsExactly("waits", "#1", "#1 reused");
    }

    @Test
    void aWaiterForWhichThereIsNoPlaceIsRefusedOnce() {
        PoolFixture pool = new PoolSetup().connections(1).pending(0).http2();
        List<FakeWaiter> waiters = ask(pool, 2);
        pool.open(1, 1);
        assertThat(results(waiters)).containsExactly("#1", "upstream-busy");
        pool.pass(Duration.ofSeconds(3));
        assertThat(results(waiters)).containsExactly("#1", "upstream-busy");
    }

    @Test
    void everyExpiredConnectionIsClosedWhenOneIsWanted() {
        PoolFixture pool =
                new PoolSetup().streams(1).idle(Duration.ofMillis(300)).http2();
        List<FakeWaiter> waiters = ask(pool, 2);
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
        List<FakeWaiter> waiters = ask(pool, 2);
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
