package dev.postern.core.upstream.pool;

import static dev.postern.core.upstream.share.Activity.Kind.CLIENT;
import static dev.postern.core.upstream.share.Activity.Kind.OPEN;
import static dev.postern.core.upstream.share.Activity.Kind.UPSTREAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.upstream.connect.FakeConnection;
import dev.postern.core.upstream.share.Activity;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests who gets a full pool's connections: client networks have a share of 25%, and waiting clients give theirs up. */
class NetworkShareTest {

    private static final Duration ROUND = Duration.ofMillis(100);

    private static PoolSetup setup(int connections) {
        return new PoolSetup().connections(connections).share(0.25);
    }

    private static FakeWaiter of(int network) {
        return new FakeWaiter().of(network);
    }

    private static FakeWaiter of(int network, Activity.Kind kind, double seconds) {
        return of(network).doing(kind, (long) (seconds * 1e9));
    }

    /** Lets exchanges hold all connections of a pool. */
    private static void hold(PoolFixture pool, FakeWaiter... holders) {
        for (FakeWaiter holder : holders) {
            pool.ask(holder);
            pool.open(pool.connects());
        }
    }

    @Test
    void anExchangeThatWaitsForItsClientIsEndedForAWaiter() {
        PoolFixture pool = setup(2).http1();
        FakeWaiter slow = of(1, CLIENT, 5);
        FakeWaiter quick = of(1, CLIENT, 4.9);
        hold(pool, slow, quick);
        pool.pass(Duration.ofSeconds(1));
        assertThat(slow.result()).as("no exchange waits").isEqualTo("#1");
        FakeWaiter waiting = pool.ask(of(1));
        assertThat(slow.result()).isEqualTo("#1, preempted client-wait");
        assertThat(quick.result()).isEqualTo("#2");
        pool.open(3);
        assertThat(waiting.result()).isEqualTo("#3");
        assertThat(pool.counts()).isEqualTo("2 open, 0 idle, 0 queued");
    }

    @Test
    void anExchangeOfANetworkBeyondItsShareIsEndedForAnotherNetwork() {
        PoolFixture pool = setup(4).http1();
        FakeWaiter running = of(1, UPSTREAM, 1);
        FakeWaiter paused = of(1, OPEN, 0.3);
        FakeWaiter moving = of(1, OPEN, 0.1);
        FakeWaiter other = of(3, OPEN, 60);
        hold(pool, running, paused, moving, other);
        FakeWaiter same = pool.ask(of(1));
        assertThat(paused.result()).as("the waiter is of the same network").isEqualTo("#2");
        FakeWaiter waiting = pool.ask(of(2));
        pool.pass(ROUND);
        assertThat(paused.result()).isEqualTo("#2, preempted network-share");
        assertThat(List.of(running.result(), moving.result(), other.result())).containsExactly("#1", "#3", "#4");
        pool.open(5);
        assertThat(waiting.result()).as("the earlier waiter is held back").isEqualTo("#5");
        assertThat(same.result()).isEqualTo("waits");
    }

    @Test
    void roundsGoOnWhileExchangesWait() {
        PoolFixture pool = setup(1).http1();
        FakeWaiter holder = of(1, UPSTREAM, 60);
        hold(pool, holder);
        pool.ask(of(1));
        pool.pass(Duration.ofMillis(250));
        holder.doing(CLIENT, Duration.ofSeconds(6).toNanos());
        assertThat(holder.result()).isEqualTo("#1");
        pool.pass(ROUND);
        assertThat(holder.result()).isEqualTo("#1, preempted client-wait");
    }

    @Test
    void roundsEndWithTheLastWaiter() {
        PoolFixture pool = setup(1).http1();
        FakeWaiter holder = of(1, UPSTREAM, 60);
        hold(pool, holder);
        FakeWaiter waiting = pool.ask(of(2));
        pool.leave(waiting);
        holder.doing(CLIENT, Duration.ofSeconds(60).toNanos());
        pool.pass(Duration.ofSeconds(1));
        assertThat(holder.result()).isEqualTo("#1");
        assertThat(pool.state().networks().anyFull()).isFalse();
        pool.ask(of(2));
        assertThat(holder.result()).as("a new round").isEqualTo("#1, preempted client-wait");
    }

    @Test
    void aNetworkWithItsShareIsHeldBackWhileAnotherWaits() {
        PoolFixture pool = setup(2).http1();
        FakeWaiter first = of(1);
        FakeWaiter second = of(1);
        hold(pool, first, second);
        FakeWaiter third = pool.ask(of(1));
        FakeWaiter other = pool.ask(of(2));
        FakeWaiter fourth = pool.ask(of(1));
        pool.finish(first);
        assertThat(other.result()).isEqualTo("#1 reused");
        assertThat(third.result()).isEqualTo("waits");
        pool.finish(second);
        assertThat(third.result()).as("no other network waits").isEqualTo("#2 reused");
        pool.finish(other);
        assertThat(fourth.result()).isEqualTo("#1 reused");
    }

    @Test
    void aNewExchangeOfAHeldBackNetworkTakesNoFreePermit() {
        PoolFixture pool = setup(2).http1();
        FakeWaiter first = of(1);
        hold(pool, first, of(1));
        FakeWaiter other = pool.ask(of(2));
        FakeWaiter same = new FakeWaiter().of(1);
        first.stream().lose();
        pool.pool(0).acquire(same, null, pool.now());
        pool.run();
        pool.open(3);
        assertThat(other.result()).isEqualTo("#3");
        assertThat(same.result()).isEqualTo("waits");
    }

    @Test
    void aHeldBackNetworkGoesOnWhenTheOtherOneNeedsNoConnectionAnyMore() {
        PoolFixture pool = setup(2).http1();
        hold(pool, of(1), of(1));
        FakeWaiter same = pool.ask(of(1));
        FakeWaiter other = pool.ask(of(2));
        other.stopWanting();
        pool.lose(pool.stream(1));
        pool.open(3);
        assertThat(same.result()).isEqualTo("#3");
        assertThat(other.result()).isEqualTo("waits");
    }

    @Test
    void aNetworkWithManyPlacesToWaitGivesUpTheLatestForAnother() {
        PoolFixture pool = setup(1).pending(4).http1();
        hold(pool, of(9));
        List<FakeWaiter> many = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            many.add(pool.ask(of(1)));
        }
        FakeWaiter other = pool.ask(of(2));
        assertThat(other.result()).isEqualTo("waits");
        assertThat(many).extracting(FakeWaiter::result).containsExactly("waits", "waits", "waits", "upstream-busy");
        assertThat(pool.ask(of(1)).result()).isEqualTo("upstream-busy");
        assertThat(pool.ask(of(2)).result()).as("has its share of the places").isEqualTo("upstream-busy");
        assertThat(pool.counts()).isEqualTo("1 open, 0 idle, 4 queued");
        pool.pass(Duration.ofSeconds(2));
        assertThat(many).extracting(FakeWaiter::result).as("once").last().isEqualTo("upstream-busy");
    }

    @Test
    void aWaiterOfOneLoopEndsAnExchangeOfAnother() {
        PoolFixture pool = setup(1).loops(2).http1();
        FakeWaiter holder = of(1, CLIENT, 9);
        pool.ask(holder, 1, null);
        pool.open(1);
        FakeWaiter waiting = pool.ask(of(1));
        assertThat(holder.result()).isEqualTo("#1, preempted client-wait");
        pool.open(2);
        assertThat(waiting.result()).isEqualTo("#2");
    }

    @Test
    void streamsAreEndedOnlyForWaitersOfTheirOwnLoop() {
        PoolFixture pool = setup(2).streams(1).loops(2).http2();
        FakeWaiter here = of(1, CLIENT, 9);
        FakeWaiter there = of(1, CLIENT, 60);
        pool.ask(here, 0, null);
        pool.open(1, 1);
        pool.ask(there, 1, null);
        pool.open(2, 1);
        FakeWaiter waiting = pool.ask(of(1));
        assertThat(there.result()).isEqualTo("#2");
        assertThat(here.result()).isEqualTo("#1, preempted client-wait");
        assertThat(waiting.result()).isEqualTo("#1 reused");
    }

    @Test
    void nothingIsEndedWhileConnectionsThatNobodyHoldsSuffice() {
        PoolFixture pool = setup(2).http1();
        FakeWaiter holder = of(1, CLIENT, 9);
        hold(pool, holder);
        pool.ask(of(1));
        FakeWaiter queued = pool.ask(of(1));
        pool.pass(ROUND.multipliedBy(3));
        assertThat(holder.result()).as("one connection is being opened").isEqualTo("#1");
        FakeWaiter another = pool.ask(of(1));
        pool.pass(ROUND);
        assertThat(holder.result()).isEqualTo("#1, preempted client-wait");
        assertThat(queued.result()).isEqualTo("waits");
        assertThat(another.result()).isEqualTo("waits");
    }

    /** The second one finishes while the first one is ended, and its connection goes to a waiter. */
    @Test
    void anExchangeThatIsOverWhenItsTurnComesEndsNoOther() {
        PoolFixture pool = setup(2).http1();
        FakeWaiter second = of(1, CLIENT, 8);
        FakeWaiter first = of(1, CLIENT, 9).whenPreempted(() -> second.stream().finish());
        hold(pool, first, second);
        FakeWaiter next = of(1);
        pool.pool(0).acquire(next, null, pool.now());
        FakeWaiter last = pool.ask(of(1));
        assertThat(first.result()).isEqualTo("#1, preempted client-wait");
        assertThat(second.result()).isEqualTo("#2");
        assertThat(next.result()).isEqualTo("#2 reused");
        pool.open(3);
        assertThat(last.result()).isEqualTo("#3");
    }

    @Test
    void countsWhatItEnded() {
        PoolFixture pool = setup(1).http1();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        pool.state().stats().register(meters, "app");
        hold(pool, of(1, CLIENT, 9));
        pool.ask(of(1));
        assertThat(meters.get("postern.upstream.preempted")
                        .tag("cause", "client-wait")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
    }

    // ---- who is a holder

    @Test
    void anExchangeWhoseConnectionWasLostHoldsNothing() {
        PoolFixture pool = setup(1).http1();
        FakeWaiter lost = of(1, CLIENT, 9);
        hold(pool, lost);
        pool.lose(pool.stream(1));
        FakeWaiter holder = of(1);
        hold(pool, holder);
        pool.ask(of(2));
        assertThat(lost.result()).isEqualTo("#1");
        assertThat(holder.result()).isEqualTo("#2");
    }

    @Test
    void anExchangeThatIsOverHoldsNothing() {
        PoolFixture pool = setup(1).http1();
        FakeWaiter over = of(1, CLIENT, 9);
        hold(pool, over);
        pool.finish(over);
        pool.lose(pool.stream(1));
        FakeWaiter holder = of(1);
        hold(pool, holder);
        pool.ask(of(2));
        assertThat(over.result()).isEqualTo("#1");
        assertThat(holder.result()).isEqualTo("#2");
    }

    @Test
    void anExchangeWhoseStreamIsOverHoldsNothing() {
        PoolFixture pool = setup(1).streams(2).http2();
        FakeWaiter over = of(1, CLIENT, 9);
        FakeWaiter holder = of(1);
        pool.ask(over);
        pool.ask(holder);
        FakeConnection connection = pool.open(1, 2);
        pool.finish(over);
        connection.allow(1);
        pool.ask(of(2));
        assertThat(over.result()).isEqualTo("#1");
        assertThat(holder.result()).isEqualTo("#1 reused");
    }

    /** A network beyond its share gives up what runs at its upstream after 5 s, counted from the lease. */
    @Test
    void theTimeOfAHolderBeginsWithItsLease() {
        PoolFixture pool = setup(2).http1();
        pool.pass(Duration.ofSeconds(3));
        FakeWaiter first = of(1);
        hold(pool, first, of(1));
        pool.pass(Duration.ofMillis(4_500));
        pool.ask(of(2));
        pool.pass(Duration.ofMillis(450));
        assertThat(first.result()).isEqualTo("#1");
        pool.pass(ROUND);
        assertThat(first.result()).isEqualTo("#1, preempted network-share");
    }
}
