package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.EpochState;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.auth.spend.store.WriteTiming;
import dev.postern.core.testing.ManualClock;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which servers the ledger sends a spend to, and which responses count; over connections without a server. */
class MemcachedLedgerTest {

    private static final List<String> THREE = List.of("127.0.0.3:11211", "127.0.0.1:11211", "127.0.0.2:11211");
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final MemcachedFixture fixture = new MemcachedFixture(3);
    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T10:00:00Z"));
    private final Map<String, FakeMemcachedConnection> connections = new HashMap<>();
    private final List<PendingSpend> responses = new ArrayList<>();
    private MemcachedLedger ledger = open(2, WhenForgotten.ROLL);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void sendsToOneServerAfterTheOtherInTheOrderOfTheRing() {
        for (int i = 0; i < 50; i++) {
            Redemption token = token();
            int[] owners = ledger.servers().owners(token.key(), 2);

            spend(token);

            assertThat(sentTo(owners[0])).isEqualTo(1);
            assertThat(sentTo(owners[1])).isZero();
            settle(owners[0], StoreReply.STORED);
            assertThat(responses).isEmpty();
            assertThat(sentTo(owners[1])).isEqualTo(1);
            settle(owners[1], StoreReply.STORED);
            assertThat(response()).isEqualTo(SpendResult.FRESH);
        }
    }

    @Test
    void stopsWhenTheFirstServerDidNotStore() {
        for (StoreReply reply :
                new StoreReply[] {StoreReply.NOT_STORED, StoreReply.REFUSED, StoreReply.LOST, StoreReply.UNSENT}) {
            Redemption token = token();
            int[] owners = ledger.servers().owners(token.key(), 2);

            spend(token);
            settle(owners[0], reply);

            assertThat(response()).isEqualTo(reply == StoreReply.NOT_STORED ? SpendResult.SPENT : SpendResult.UNKNOWN);
            assertThat(sentTo(owners[1])).as("after %s", reply).isZero();
        }
    }

    @Test
    void isFreshOnlyWhenTheLastServerAgrees() {
        for (StoreReply reply :
                new StoreReply[] {StoreReply.NOT_STORED, StoreReply.REFUSED, StoreReply.LOST, StoreReply.UNSENT}) {
            Redemption token = token();
            int[] owners = ledger.servers().owners(token.key(), 2);

            spend(token);
            settle(owners[0], StoreReply.STORED);
            settle(owners[1], reply);

            assertThat(response()).isEqualTo(reply == StoreReply.NOT_STORED ? SpendResult.SPENT : SpendResult.UNKNOWN);
        }
    }

    @Test
    void isBusyWhenACopyIsAtTheLimit() {
        Redemption token = token();
        int[] owners = ledger.servers().owners(token.key(), 2);
        connection(owners[1]).capacity = 0;

        spend(token);
        settle(owners[0], StoreReply.STORED);

        assertThat(responses.get(0).busy()).isTrue();
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void givesEachCopyItsShareOfTheDeadline() {
        Redemption token = token();
        int[] owners = ledger.servers().owners(token.key(), 2);
        long half = DEADLINE.toNanos() / 2;
        long slack = Duration.ofSeconds(4).toNanos();
        long begin = Ticker.systemTicker().nanoTime();

        spend(token);
        long first = last(owners[0]).deadlineNanos();
        settle(owners[0], StoreReply.STORED);
        long second = last(owners[1]).deadlineNanos();

        assertThat(first - begin).isBetween(half, half + slack);
        assertThat(second - begin).isBetween(half, half + slack);
    }

    @Test
    void skipsAnExcludedServer() {
        state().leaveOut(0, true);
        for (int i = 0; i < 50; i++) {
            Redemption token = token();
            int[] owners = ledger.servers().owners(token.key(), 2);

            spend(token);
            for (int owner : owners) {
                if (owner != 0) {
                    settle(owner, StoreReply.STORED);
                }
            }

            assertThat(sentTo(0)).isZero();
            assertThat(response()).isEqualTo(SpendResult.FRESH);
        }
    }

    @Test
    void sendsNothingForATokenOfAnotherEpoch() {
        Redemption token = token();
        state().leaveOut(0, true);

        spend(token);

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(sentTo(0) + sentTo(1) + sentTo(2)).isZero();
    }

    @Test
    void sendsATokenWithoutAnEpochAlsoToExcludedServers() {
        Redemption endless = Redemption.endless(token().key(), clock.instant().plusSeconds(60), Instant.EPOCH);
        int[] owners = ledger.servers().owners(endless.key(), 2);
        state().leaveOut(owners[0], true);

        spend(endless);

        assertThat(sentTo(owners[0])).isEqualTo(1);
    }

    @Test
    void sendsToOneServerWithoutCopies() {
        ledger = open(1, WhenForgotten.ROLL);
        for (int i = 0; i < 50; i++) {
            Redemption token = token();
            int owner = ledger.servers().owner(token.key());

            spend(token);
            settle(owner, StoreReply.STORED);

            assertThat(sentTo((owner + 1) % 3) + sentTo((owner + 2) % 3)).isZero();
            assertThat(response()).isEqualTo(SpendResult.FRESH);
            assertThat(ledger.servers().owners(token.key(), 1)).containsExactly(owner);
        }
    }

    @Test
    void usesTheCurrentEpochForATokenWithoutOne() {
        Redemption token = new Redemption(token().key(), clock.instant().plusSeconds(60));
        int[] owners = ledger.servers().owners(token.key(), 2);

        spend(token);

        assertThat(last(owners[0]).redemption().epoch()).isEqualTo(ledger.epoch());
        ledger.epoch()[0]++;
        assertThat(ledger.epoch()).as("the caller owns the array").isEqualTo(state().epoch());
    }

    @Test
    void returnsSpentAtTheEndOfATokenWithoutARequest() {
        Redemption expired = new Redemption(token().key(), clock.instant(), ledger.epoch());
        Redemption last = new Redemption(token().key(), clock.instant().plusMillis(1), ledger.epoch());
        int[] owners = ledger.servers().owners(expired.key(), 2);

        spend(expired);
        assertThat(response()).isEqualTo(SpendResult.SPENT);
        assertThat(sentTo(owners[0])).isZero();
        spend(last);
        assertThat(responses).isEmpty();
    }

    @Test
    void refundsEveryCopyThatMayHaveStoredTheToken() {
        Redemption token = token();
        int[] owners = ledger.servers().owners(token.key(), 2);
        spend(token);
        settle(owners[0], StoreReply.STORED);
        settle(owners[1], StoreReply.LOST);

        ledger.refund(responses.get(0));

        assertThat(FakeMemcachedConnection.text(connection(owners[0]).next())).startsWith("gets test:1:");
        assertThat(FakeMemcachedConnection.text(connection(owners[1]).next())).startsWith("gets test:1:");
    }

    @Test
    void refundsOnlySpendsThatMayBeStored() {
        ledger = open(1, WhenForgotten.ROLL);
        Map<StoreReply, Boolean> looked = new HashMap<>();
        for (StoreReply reply : StoreReply.values()) {
            Redemption token = token();
            int owner = ledger.servers().owner(token.key());
            spend(token);
            settle(owner, reply);
            ledger.refund(responses.remove(0));
            fixture.settle();
            looked.put(reply, connection(owner).waiting() == 1);
            clear(owner);
        }
        Redemption unanswered = token();
        int owner = ledger.servers().owner(unanswered.key());
        spend(unanswered);
        PendingAdd add = last(owner);
        add.expire();
        ledger.refund(add);
        fixture.settle();

        assertThat(looked)
                .containsEntry(StoreReply.STORED, true)
                .containsEntry(StoreReply.LOST, true)
                .containsEntry(StoreReply.NOT_STORED, false)
                .containsEntry(StoreReply.REFUSED, false)
                .containsEntry(StoreReply.UNSENT, false);
        assertThat(connection(owner).waiting()).as("may be stored late").isEqualTo(1);
    }

    @Test
    void refusesSpendsFromBeforeALossWhenChallengesStayValid() {
        ledger = open(1, WhenForgotten.REFUSE);
        Redemption token = token();
        int owner = ledger.servers().owner(token.key());
        spend(token);
        settle(owner, StoreReply.STORED);
        assertThat(response()).isEqualTo(SpendResult.FRESH);

        state().observed(owner, MemcachedFixture.OTHER_MARKER);
        connection(owner).connection().marker(MemcachedFixture.OTHER_MARKER);
        spend(token);
        settle(owner, StoreReply.STORED);

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void excludesAServerOnlyWhenChallengesHaveAnEpoch() {
        for (WhenForgotten configured : WhenForgotten.values()) {
            ledger = open(2, configured);
            connection(1).connection().marker(null);
            long now = Ticker.systemTicker().nanoTime();
            ledger.servers().maintain(now);
            ledger.servers().maintain(now + ServerAvailability.UNAVAILABLE_NANOS);

            assertThat(state().view().leftOut())
                    .as("when-forgotten: %s", configured)
                    .containsExactly(false, configured == WhenForgotten.ROLL, false);
        }
    }

    @Test
    void closesEveryConnection() {
        ledger.close();

        assertThat(connections.values()).hasSize(3).allMatch(connection -> connection.closed);
    }

    @Test
    void addsTheTimesOfTheCopies() {
        Redemption token = token();
        int[] owners = ledger.servers().owners(token.key(), 2);
        long begin = Ticker.systemTicker().nanoTime();
        spend(token);
        for (int owner : owners) {
            WriteTiming timing = new WriteTiming();
            last(owner).goes(timing);
            timing.begin(begin + 10);
            timing.end(begin + 13);
            settle(owner, StoreReply.STORED);
        }

        PendingSpend spend = responses.get(0);
        assertThat(spend.busy()).isFalse();
        assertThat(response()).isEqualTo(SpendResult.FRESH);
        assertThat(spend.times(begin, Ticker.systemTicker().nanoTime()).write()).isEqualTo(6);
    }

    @Test
    void knowsTokensThatAServerReportedAsSpent() {
        Redemption token = token();
        assertThat(ledger.knownSpent(token.key())).isFalse();

        spend(token);
        settle(ledger.servers().owners(token.key(), 2)[0], StoreReply.NOT_STORED);

        assertThat(ledger.knownSpent(token.key())).isTrue();
        assertThat(ledger.knownSpent(token().key())).isFalse();
    }

    @Test
    void endsItsThreadOnClose() throws Exception {
        CompletableFuture<Thread> worked = new CompletableFuture<>();
        fixture.scheduler.now(() -> worked.complete(Thread.currentThread()));
        Thread thread = worked.get(10, TimeUnit.SECONDS);

        ledger.close();

        thread.join(10_000);
        assertThat(thread.isAlive()).isFalse();
    }

    private MemcachedLedger open(int copies, WhenForgotten whenForgotten) {
        LedgerSettings defaults = MemcachedTestSettings.of(
                DEADLINE, MemcachedTestSettings.servers(Client.NETTY, THREE, copies, 1, List.of()));
        LedgerSettings settings = new LedgerSettings(
                defaults.store(),
                defaults.deadline(),
                defaults.whenUnknown(),
                whenForgotten,
                defaults.refund(),
                defaults.embedded(),
                defaults.memcached());
        EpochState state = new EpochState(3, whenForgotten, clock);
        StoreResources resources = fixture.resources(state);
        connections.clear();
        MemcachedLedger opened = new MemcachedLedger(
                settings, resources, fixture.encoding, clock, new FakeMemcachedConnections(connections));
        opened.servers().maintain(Ticker.systemTicker().nanoTime());
        for (int server = 0; server < 3; server++) {
            state.observed(server, MemcachedFixture.MARKER);
            FakeMemcachedConnection connection = connection(server);
            connection.connection().established();
            fixture.settle();
            clear(server);
            connection.connection().marker(MemcachedFixture.MARKER);
        }
        return opened;
    }

    private EpochState state() {
        return ledger.state();
    }

    private Redemption token() {
        byte[] key = fixture.token().key();
        return new Redemption(key, clock.instant().plusSeconds(600), ledger.epoch());
    }

    private void spend(Redemption token) {
        ledger.spend(token, fixture.channel.eventLoop(), responses::add);
    }

    /** Returns the only result since the previous call. */
    private SpendResult response() {
        assertThat(responses).hasSize(1);
        return responses.remove(0).result();
    }

    /** Returns the connection of a server; servers are numbered in the order of their names. */
    private FakeMemcachedConnection connection(int server) {
        return Objects.requireNonNull(connections.get("127.0.0." + (server + 1)));
    }

    private int sentTo(int server) {
        return connection(server).spends.size();
    }

    private PendingAdd last(int server) {
        return connection(server).spends.get(sentTo(server) - 1);
    }

    private void settle(int server, StoreReply reply) {
        PendingAdd add = connection(server).spends.remove(0);
        connection(server).leave();
        connection(server).settle(add, reply);
    }

    private void clear(int server) {
        while (connection(server).waiting() > 0) {
            connection(server).next();
        }
    }
}
