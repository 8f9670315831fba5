package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Refusal;
import dev.postern.core.upstream.connect.FakeConnection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how the exchanges of one event loop share connections of HTTP/2. */
class Http2ConnectionPoolTest {

    // ---- streams as permits

    @Test
    void exchangesThatComeWhileAConnectionOpensWaitForIt() {
        PoolFixture pool = new PoolSetup().streams(3).http2();
        List<FakeWaiter> waiters = pool.ask(4);
        assertThat(pool.connects()).as("three streams each").isEqualTo(2);
        pool.open(1, 100);
        assertThat(FakeWaiter.results(waiters)).containsExactly("#1", "#1 reused", "#1 reused", "waits");
        pool.open(2, 100);
        assertThat(FakeWaiter.results(waiters)).last().isEqualTo("#2");
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
        List<FakeWaiter> waiters = pool.ask(3);
        pool.open(1, 2);
        pool.open(2, 2);
        pool.finish(waiters.get(1));
        assertThat(FakeWaiter.results(pool.ask(2))).containsExactly("#1 reused", "#2 reused");
        assertThat(pool.connects()).isEqualTo(2);
    }

    @Test
    void anUpstreamThatAllowsFewerStreamsGetsFewer() {
        PoolFixture pool = new PoolSetup().connections(2).http2();
        List<FakeWaiter> waiters = pool.ask(4);
        pool.open(1, 1);
        assertThat(FakeWaiter.results(waiters)).containsExactly("#1", "waits", "waits", "waits");
        assertThat(pool.connects()).isEqualTo(2);
        pool.open(2, 2);
        assertThat(FakeWaiter.results(waiters)).containsExactly("#1", "#2", "#2 reused", "waits");
        assertThat(pool.counts()).as("no permit for a third").isEqualTo("2 open, 0 idle, 1 queued");
        pool.finish(waiters.get(0));
        assertThat(FakeWaiter.results(waiters)).last().isEqualTo("#1 reused");
    }

    @Test
    void anUpstreamThatAllowsMoreStreamsGetsTheWaiters() {
        PoolFixture pool = new PoolSetup().connections(1).http2();
        List<FakeWaiter> waiters = pool.ask(3);
        FakeConnection connection = pool.open(1, 1);
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 2 queued");
        connection.allow(2);
        assertThat(FakeWaiter.results(waiters)).containsExactly("#1", "#1 reused", "waits");
        connection.allow(1);
        pool.finish(waiters.get(0));
        assertThat(FakeWaiter.results(waiters))
                .as("two streams were one too many")
                .last()
                .isEqualTo("waits");
        pool.finish(waiters.get(1));
        assertThat(FakeWaiter.results(waiters)).last().isEqualTo("#1 reused");
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
        List<FakeWaiter> waiters = pool.ask(3);
        waiters.get(1).stopWanting();
        pool.leave(waiters.get(2));
        pool.open(1, 100);
        assertThat(FakeWaiter.results(waiters)).containsExactly("#1", "waits", "waits");
        assertThat(pool.endpoint(0).busy()).isEqualTo(1);
    }

    @Test
    void aPlaceBesideAConnectIsForTheFirstOfTheQueue() {
        PoolFixture pool = new PoolSetup().connections(1).streams(2).http2();
        List<FakeWaiter> waiters = pool.ask(3);
        pool.leave(waiters.get(0));
        FakeWaiter late = pool.ask();
        pool.open(1, 2);
        assertThat(FakeWaiter.results(waiters)).containsExactly("waits", "#1", "#1 reused");
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

    @Test
    void aConnectionThatEndsBeforeItsSettingsRefusesItsWaiters() {
        PoolFixture pool = new PoolSetup().connections(1).http2();
        List<FakeWaiter> waiters = pool.ask(2);
        pool.accept(1);
        pool.connection(1).goAway();
        assertThat(FakeWaiter.results(waiters))
                .as("the end of the connection follows")
                .containsOnly("waits");
        pool.connection(1).fallSilent();
        assertThat(FakeWaiter.results(waiters)).containsOnly("waits");
        pool.connection(1).lose(Refusal.UPSTREAM_MALFORMED);
        assertThat(FakeWaiter.results(waiters)).containsOnly("upstream-malformed of server-0:80");
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
        pool.pass(Duration.ofSeconds(3));
        assertThat(FakeWaiter.results(waiters)).as("refused once").containsOnly("upstream-malformed of server-0:80");
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

    // ---- several connections

    @Test
    void aWaiterThatHasItsResponseLeavesItsStreamToTheQueue() {
        PoolFixture pool = new PoolSetup().connections(1).streams(2).http2();
        List<FakeWaiter> waiters = pool.ask(3);
        waiters.get(0).stopWanting();
        pool.open(1, 2);
        assertThat(FakeWaiter.results(waiters)).containsExactly("waits", "#1", "#1 reused");
    }

    @Test
    void aWaiterForWhichThereIsNoPlaceIsRefusedOnce() {
        PoolFixture pool = new PoolSetup().connections(1).pending(0).http2();
        List<FakeWaiter> waiters = pool.ask(2);
        pool.open(1, 1);
        assertThat(FakeWaiter.results(waiters)).containsExactly("#1", "upstream-busy");
        pool.pass(Duration.ofSeconds(3));
        assertThat(FakeWaiter.results(waiters)).containsExactly("#1", "upstream-busy");
    }
}
