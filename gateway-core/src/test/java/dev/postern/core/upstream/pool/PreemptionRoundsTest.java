package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.net.AddressPrefix;
import dev.postern.core.testing.TestPool;
import dev.postern.core.upstream.pool.PreemptionRounds.Report;
import dev.postern.core.upstream.pool.PreemptionRounds.Victim;
import dev.postern.core.upstream.share.Activity;
import dev.postern.core.upstream.share.PreemptionRule;
import dev.postern.core.upstream.share.PreemptionRule.Held;
import dev.postern.core.upstream.share.WaitingNetworks;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which exchanges a round ends, by reports of pools with four connections together; every holder has long waited for its client. */
class PreemptionRoundsTest {

    private static final AddressPrefix A = new AddressPrefix(false, 32, 1L << 32);
    private static final AddressPrefix B = new AddressPrefix(false, 32, 2L << 32);
    private static final long LONG = Duration.ofMinutes(1).toNanos();

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final WaitingNetworks networks = new WaitingNetworks();
    private final PreemptionRule rule = new PreemptionRule(1);
    private final Deque<PreemptionRounds.Round> begun = new ArrayDeque<>();
    private final List<String> ended = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final Permits.Listener pools = new Permits.Listener() {
        @Override
        public void permitWanted() {}

        @Override
        public void permitReturned() {
            notices.add("returned");
        }

        @Override
        public void placeWanted() {}

        @Override
        public void report(PreemptionRounds.Round round) {
            begun.add(round);
        }
    };
    private final Permits permits = new Permits(TestPool.of(4, 8, 1), rule, networks, pools);
    private final PreemptionRounds rounds = new PreemptionRounds(permits, networks, rule, pools);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void open(int connections) {
        for (int i = 0; i < connections; i++) {
            assertThat(permits.tryAcquire()).isTrue();
        }
    }

    /** Lets exchanges wait, and returns their networks. */
    private List<AddressPrefix> waiting(AddressPrefix... all) {
        for (AddressPrefix one : all) {
            assertThat(permits.tryQueue(one)).isTrue();
        }
        return List.of(all);
    }

    private List<Held<Victim>> held(String... names) {
        return Arrays.stream(names)
                .map(name -> new Held<Victim>(
                        A, new Activity(Activity.Kind.CLIENT, LONG), LONG, cause -> ended.add(name + " " + cause)))
                .toList();
    }

    private void round(Report... reports) {
        channel.freezeTime();
        rounds.wanted(channel.eventLoop());
        PreemptionRounds.Round round = begun.remove();
        round.expect(reports.length);
        for (Report one : reports) {
            assertThat(ended).as("not before the last report").isEmpty();
            round.add(one);
        }
    }

    @Test
    void endsOneExchangeForEachWaiter() {
        open(4);
        round(new Report(0, held("one", "two", "three", "four"), waiting(B, B), true));
        assertThat(ended).containsExactly("one CLIENT", "two CLIENT");
    }

    @Test
    void addsUpTheReportsOfAllPools() {
        open(4);
        round(
                new Report(0, held("one"), waiting(B, B), true),
                new Report(0, held("two", "three"), waiting(B), true),
                new Report(0, held("four"), List.of(), true));
        assertThat(ended).containsExactly("one CLIENT", "two CLIENT", "three CLIENT");
    }

    @Test
    void endsNothingWhereAConnectionIsIdle() {
        open(4);
        round(new Report(0, held("one", "two", "three"), waiting(B), true), new Report(1, List.of(), List.of(), true));
        assertThat(ended).isEmpty();
    }

    /** It is being closed for the waiter, or opened for it. */
    @Test
    void endsNothingWhereAConnectionThatNobodyHoldsSuffices() {
        open(4);
        round(new Report(0, held("one", "two"), waiting(B), true), new Report(0, held("three"), List.of(), true));
        assertThat(ended).isEmpty();
    }

    @Test
    void endsOnlyWhatSuchConnectionsLeaveMissing() {
        open(4);
        round(new Report(0, held("one"), waiting(B), true), new Report(0, held("two", "three"), waiting(B, B), true));
        assertThat(ended).containsExactly("one CLIENT", "two CLIENT");
    }

    /** What a pool that shares nothing opens is of no use to the waiters of another one. */
    @Test
    void decidesForEachPoolThatSharesNothing() {
        open(4);
        round(
                new Report(0, held("one"), waiting(B), false),
                new Report(0, held("two"), List.of(), false),
                new Report(0, held("three"), waiting(B), false));
        assertThat(ended).containsExactly("one CLIENT", "three CLIENT");
    }

    @Test
    void endsNothingWhileAPermitIsFree() {
        open(3);
        round(new Report(0, held("one", "two", "three"), waiting(B), true));
        assertThat(ended).isEmpty();
        assertThat(notices).containsExactly("returned");
    }

    @Test
    void repeatsRoundsOnlyWhileExchangesWait() {
        open(4);
        round(new Report(0, held("one", "two", "three", "four"), waiting(B), true));
        rounds.wanted(channel.eventLoop());
        assertThat(begun).as("a round is under way").isEmpty();
        channel.advanceTimeBy(100, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        assertThat(begun).hasSize(1);
        permits.leaveQueue(B);
        PreemptionRounds.Round last = begun.remove();
        last.expect(1);
        last.add(new Report(0, held("two", "three", "four"), List.of(), true));
        channel.advanceTimeBy(100, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        assertThat(begun).isEmpty();
        assertThat(ended).containsExactly("one CLIENT");
    }
}
