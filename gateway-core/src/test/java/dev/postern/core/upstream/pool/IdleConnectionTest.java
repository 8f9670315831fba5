package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.upstream.connect.FakeStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests when connections end: idle, old, used often, of a removed endpoint, or announced by the upstream. */
class IdleConnectionTest {

    private static FakeWaiter use(PoolFixture pool, int connection) {
        FakeWaiter waiter = pool.ask();
        pool.open(connection);
        return waiter;
    }

    @Test
    void anIdleConnectionIsClosedAfterItsTime() {
        PoolFixture pool = new PoolSetup().idle(Duration.ofSeconds(10)).http1();
        pool.finish(use(pool, 1));
        pool.pass(Duration.ofMillis(9_999));
        assertThat(pool.counts()).isEqualTo("1 open, 1 idle, 0 queued");
        pool.pass(Duration.ofSeconds(1));
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
        assertThat(pool.stream(1).closed()).isTrue();
    }

    @Test
    void eachConnectionHasItsOwnIdleTime() {
        PoolFixture pool = new PoolSetup().idle(Duration.ofSeconds(10)).http1();
        FakeWaiter first = use(pool, 1);
        FakeWaiter second = use(pool, 2);
        pool.finish(first);
        pool.pass(Duration.ofSeconds(5));
        pool.finish(second);
        pool.pass(Duration.ofSeconds(6));
        assertThat(pool.stream(1).closed()).isTrue();
        assertThat(pool.stream(2).closed()).isFalse();
        pool.pass(Duration.ofSeconds(5));
        assertThat(pool.stream(2).closed()).isTrue();
    }

    @Test
    void useStartsTheIdleTimeAgain() {
        PoolFixture pool = new PoolSetup().idle(Duration.ofSeconds(10)).http1();
        pool.finish(use(pool, 1));
        pool.pass(Duration.ofSeconds(9));
        FakeWaiter again = pool.ask();
        pool.pass(Duration.ofSeconds(30));
        assertThat(pool.stream(1).closed()).as("in use").isFalse();
        pool.finish(again);
        pool.pass(Duration.ofSeconds(9));
        assertThat(pool.stream(1).closed()).isFalse();
    }

    @Test
    void aConnectionThatExpiredSinceTheLastLookIsNotLeased() {
        PoolFixture pool = new PoolSetup().idle(Duration.ofMillis(300)).http1();
        pool.finish(use(pool, 1));
        pool.pass(Duration.ofMillis(299));
        assertThat(pool.ask().result()).isEqualTo("#1 reused");
        PoolFixture other = new PoolSetup().idle(Duration.ofMillis(300)).http1();
        other.finish(use(other, 1));
        other.pass(Duration.ofMillis(300));
        assertThat(other.ask().result()).isEqualTo("waits");
        assertThat(other.stream(1).closed()).isTrue();
        assertThat(other.connects()).isEqualTo(2);
    }

    @Test
    void aConnectionIsClosedAfterItsLastRequest() {
        PoolFixture pool = new PoolSetup().requests(2).http1();
        pool.finish(use(pool, 1));
        FakeWaiter second = pool.ask();
        assertThat(second.result()).isEqualTo("#1 reused");
        pool.finish(second);
        assertThat(pool.stream(1).closed()).isTrue();
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void anUnusedLeaseIsNoRequest() {
        PoolFixture pool = new PoolSetup().requests(1).http1();
        FakeWaiter waiter = use(pool, 1);
        waiter.lease().unused();
        assertThat(pool.stream(1).closed()).isFalse();
        pool.finish(pool.ask());
        assertThat(pool.stream(1).closed()).isTrue();
    }

    @Test
    void withoutKeepAliveEachConnectionServesOneExchange() {
        PoolFixture pool = new PoolSetup().keepAlive(false).connections(1).http1();
        FakeWaiter first = use(pool, 1);
        FakeWaiter second = pool.ask();
        pool.finish(first);
        assertThat(pool.stream(1).closed()).isTrue();
        pool.open(2);
        assertThat(second.result()).isEqualTo("#2");
    }

    @Test
    void anOldConnectionIsClosedAfterItsExchange() {
        PoolFixture pool = new PoolSetup().lifetime(Duration.ofSeconds(20)).http1();
        pool.pass(Duration.ofSeconds(3));
        FakeWaiter running = use(pool, 1);
        pool.pass(Duration.ofSeconds(20));
        assertThat(pool.stream(1).closed()).isFalse();
        pool.finish(running);
        assertThat(pool.stream(1).closed()).isTrue();
    }

    @Test
    void anOldIdleConnectionIsClosedBeforeItsIdleTime() {
        PoolFixture pool = new PoolSetup().lifetime(Duration.ofSeconds(20)).http1();
        pool.pass(Duration.ofSeconds(3));
        pool.finish(use(pool, 1));
        pool.pass(Duration.ofMillis(19_900));
        assertThat(pool.counts()).isEqualTo("1 open, 1 idle, 0 queued");
        pool.pass(Duration.ofMillis(1_100));
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connectionsOfARemovedEndpointEndWithTheirExchanges(boolean idle) {
        PoolFixture pool = new PoolSetup().http1();
        FakeWaiter waiter = use(pool, 1);
        if (idle) {
            pool.finish(waiter);
        }
        pool.endpoint(0).retire();
        pool.pool(0).endpointsGone();
        pool.run();
        assertThat(pool.stream(1).closed()).isEqualTo(idle);
        if (!idle) {
            pool.finish(waiter);
        }
        assertThat(pool.stream(1).closed()).isTrue();
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @Test
    void connectionsOfOtherEndpointsStay() {
        PoolFixture pool = new PoolSetup().endpoints(2).http1();
        FakeWaiter first = pool.ask(new FakeWaiter(), 0, pool.endpoint(1));
        FakeWaiter second = pool.ask(new FakeWaiter(), 0, pool.endpoint(0));
        pool.open(1);
        pool.open(2);
        pool.finish(first, second);
        pool.endpoint(0).retire();
        pool.pool(0).endpointsGone();
        pool.run();
        assertThat(pool.stream(1).closed()).isTrue();
        assertThat(pool.stream(2).closed()).isFalse();
    }

    // ---- the upstream's own idle time

    @Test
    void theGatewayClosesBeforeTheTimeThatTheUpstreamAnnounces() {
        PoolFixture pool = new PoolSetup().http1();
        FakeWaiter waiter = use(pool, 1);
        waiter.stream().announce(10);
        pool.finish(waiter);
        pool.pass(Duration.ofMillis(7_900));
        assertThat(pool.stream(1).closed()).isFalse();
        pool.pass(Duration.ofMillis(1_100));
        assertThat(pool.stream(1).closed()).isTrue();
    }

    @Test
    void learnsFromConnectionsThatTheUpstreamClosesWhileIdle() {
        PoolFixture pool = new PoolSetup().http1();
        long before = pool.state().idleNanos(pool.now());
        for (int i = 1; i <= 3; i++) {
            pool.finish(use(pool, i));
            pool.pass(Duration.ofSeconds(10));
            pool.lose(pool.stream(i));
        }
        assertThat(pool.state().idleNanos(pool.now()))
                .isEqualTo(Duration.ofSeconds(8).toNanos())
                .isLessThan(before);
    }

    @Test
    void learnsFromConnectionsThatItFindsEnded() {
        PoolFixture pool = new PoolSetup().http1();
        for (int i = 1; i <= 3; i++) {
            pool.finish(use(pool, i));
            pool.pass(Duration.ofSeconds(10));
            pool.stream(i).endUnnoticed();
            pool.leave(pool.ask(new FakeWaiter().unrepeatable(true)));
        }
        assertThat(pool.state().idleNanos(pool.now()))
                .isEqualTo(Duration.ofSeconds(8).toNanos());
    }

    @Test
    void learnsNothingFromConnectionsThatEndUnderAnExchangeOrByTheGateway() {
        PoolFixture pool = new PoolSetup().idle(Duration.ofSeconds(20)).http1();
        for (int i = 1; i <= 6; i++) {
            FakeWaiter waiter = use(pool, i);
            pool.pass(Duration.ofSeconds(10));
            FakeStream connection = pool.stream(i);
            if (i % 2 == 0) {
                pool.lose(connection);
            } else {
                pool.finish(waiter);
                pool.pass(Duration.ofSeconds(21));
                assertThat(connection.closed()).isTrue();
            }
        }
        assertThat(pool.state().idleNanos(pool.now()))
                .isEqualTo(Duration.ofSeconds(20).toNanos());
    }
}
