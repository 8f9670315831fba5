package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.upstream.connect.FakeConnection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that the pools of two event loops share the permits of their upstream. */
class SharedPermitsTest {

    private static FakeWaiter ask(PoolFixture pool, int loop) {
        return pool.ask(new FakeWaiter(), loop, null);
    }

    private static PoolSetup setup() {
        return new PoolSetup().loops(2).connections(1);
    }

    @Test
    void anIdleConnectionOfOneLoopIsClosedForAWaiterOfTheOther() {
        PoolFixture pool = setup().http1();
        FakeWaiter first = ask(pool, 0);
        pool.open(1);
        pool.finish(first);
        FakeWaiter other = ask(pool, 1);
        assertThat(pool.stream(1).closed()).isTrue();
        pool.open(2);
        assertThat(other.result()).isEqualTo("#2");
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 0 queued");
    }

    @Test
    void theOldestIdleConnectionIsClosedForAWaiter() {
        PoolFixture pool = setup().connections(2).http1();
        FakeWaiter first = ask(pool, 0);
        FakeWaiter second = ask(pool, 0);
        pool.open(1);
        pool.open(2);
        pool.finish(second, first);
        ask(pool, 1);
        assertThat(pool.stream(2).closed()).isTrue();
        assertThat(pool.stream(1).closed()).isFalse();
    }

    @Test
    void aConnectionThatBecomesIdleIsClosedForAWaiterOfTheOtherLoop() {
        PoolFixture pool = setup().http1();
        FakeWaiter first = ask(pool, 0);
        pool.open(1);
        FakeWaiter other = ask(pool, 1);
        assertThat(pool.connects()).isEqualTo(1);
        pool.finish(first);
        assertThat(pool.stream(1).closed()).isTrue();
        pool.open(2);
        assertThat(other.result()).isEqualTo("#2");
    }

    @Test
    void aWaiterOfTheSameLoopGetsTheConnectionItself() {
        PoolFixture pool = setup().http1();
        FakeWaiter first = ask(pool, 0);
        pool.open(1);
        FakeWaiter other = ask(pool, 1);
        FakeWaiter same = ask(pool, 0);
        pool.finish(first);
        assertThat(same.result()).isEqualTo("#1 reused");
        assertThat(other.result()).isEqualTo("waits");
        pool.finish(same);
        pool.open(2);
        assertThat(other.result()).isEqualTo("#2");
    }

    @Test
    void aPermitThatReturnsServesTheWaitersOfEachLoopWhileThereAreMore() {
        PoolFixture pool = setup().connections(3).http1();
        for (int i = 1; i <= 3; i++) {
            ask(pool, 0);
            pool.open(i);
        }
        FakeWaiter one = ask(pool, 1);
        FakeWaiter two = ask(pool, 1);
        FakeWaiter three = ask(pool, 0);
        pool.lose(pool.stream(1));
        pool.lose(pool.stream(2));
        pool.lose(pool.stream(3));
        assertThat(pool.connects()).isEqualTo(6);
        for (int i = 4; i <= 6; i++) {
            pool.open(i);
        }
        assertThat(one.result()).startsWith("#");
        assertThat(two.result()).startsWith("#");
        assertThat(three.result()).startsWith("#");
    }

    @Test
    void anIdleHttp2ConnectionOfOneLoopIsClosedForAWaiterOfTheOther() {
        PoolFixture pool = setup().http2();
        FakeWaiter first = ask(pool, 0);
        FakeConnection connection = pool.open(1, 100);
        pool.finish(first);
        FakeWaiter other = ask(pool, 1);
        assertThat(connection.closed()).isTrue();
        pool.open(2, 100);
        assertThat(other.result()).isEqualTo("#2");
    }

    @Test
    void anHttp2ConnectionThatBecomesIdleIsClosedForAWaiterOfTheOtherLoop() {
        PoolFixture pool = setup().http2();
        FakeWaiter first = ask(pool, 0);
        FakeWaiter second = ask(pool, 0);
        FakeConnection connection = pool.open(1, 100);
        FakeWaiter other = ask(pool, 1);
        pool.finish(first);
        assertThat(connection.closed()).as("one stream is in use").isFalse();
        pool.finish(second);
        assertThat(connection.closed()).isTrue();
        pool.open(2, 100);
        assertThat(other.result()).isEqualTo("#2");
    }

    @Test
    void anHttp2ConnectionThatOpensForNobodyIsClosedForAWaiterOfTheOtherLoop() {
        PoolFixture pool = setup().http2();
        FakeWaiter gone = ask(pool, 0);
        pool.leave(gone);
        FakeWaiter other = ask(pool, 1);
        FakeConnection connection = pool.open(1, 100);
        assertThat(connection.closed()).isTrue();
        pool.open(2, 100);
        assertThat(other.result()).isEqualTo("#2");
    }

    @Test
    void anHttp2ConnectionInUseKeepsItsPermit() {
        PoolFixture pool = setup().connections(2).http2();
        ask(pool, 0);
        FakeConnection busy = pool.open(1, 100);
        FakeWaiter idle = pool.ask(new FakeWaiter().fresh(true), 1, null);
        FakeConnection free = pool.open(2, 100);
        pool.finish(idle);
        pool.permitWanted();
        pool.run();
        assertThat(free.closed()).isTrue();
        assertThat(busy.closed()).isFalse();
    }

    @Test
    void whatAnotherLoopWantsIsDoneOnThePoolsOwnLoop() {
        PoolFixture pool = setup().http1();
        FakeWaiter first = ask(pool, 0);
        pool.open(1);
        pool.finish(first);
        pool.pool(0).permitWanted();
        pool.pool(0).endpointsGone();
        pool.pool(0).placeWanted();
        assertThat(pool.stream(1).closed()).isFalse();
        pool.run();
        assertThat(pool.stream(1).closed()).isTrue();
        pool.pass(Duration.ofSeconds(2));
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }
}
