package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.WriteTiming;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which servers the ledger sends a spend to, and which fixture.responses count; over connections without a server. */
class MemcachedLedgerTest {

    private final MemcachedLedgerFixture fixture = new MemcachedLedgerFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void sendsToOneServerAfterTheOtherInTheOrderOfTheRing() {
        for (int i = 0; i < 50; i++) {
            Redemption token = fixture.token();
            int[] owners = fixture.ledger.servers().owners(token.key(), 2);

            fixture.spend(token);

            assertThat(fixture.sentTo(owners[0])).isEqualTo(1);
            assertThat(fixture.sentTo(owners[1])).isZero();
            fixture.settle(owners[0], StoreReply.STORED);
            assertThat(fixture.responses).isEmpty();
            assertThat(fixture.sentTo(owners[1])).isEqualTo(1);
            fixture.settle(owners[1], StoreReply.STORED);
            assertThat(fixture.response()).isEqualTo(SpendResult.FRESH);
        }
    }

    @Test
    void stopsWhenTheFirstServerDidNotStore() {
        for (StoreReply reply :
                new StoreReply[] {StoreReply.NOT_STORED, StoreReply.REFUSED, StoreReply.LOST, StoreReply.UNSENT}) {
            Redemption token = fixture.token();
            int[] owners = fixture.ledger.servers().owners(token.key(), 2);

            fixture.spend(token);
            fixture.settle(owners[0], reply);

            assertThat(fixture.response())
                    .isEqualTo(reply == StoreReply.NOT_STORED ? SpendResult.SPENT : SpendResult.UNKNOWN);
            assertThat(fixture.sentTo(owners[1])).as("after %s", reply).isZero();
        }
    }

    @Test
    void isFreshOnlyWhenTheLastServerAgrees() {
        for (StoreReply reply :
                new StoreReply[] {StoreReply.NOT_STORED, StoreReply.REFUSED, StoreReply.LOST, StoreReply.UNSENT}) {
            Redemption token = fixture.token();
            int[] owners = fixture.ledger.servers().owners(token.key(), 2);

            fixture.spend(token);
            fixture.settle(owners[0], StoreReply.STORED);
            fixture.settle(owners[1], reply);

            assertThat(fixture.response())
                    .isEqualTo(reply == StoreReply.NOT_STORED ? SpendResult.SPENT : SpendResult.UNKNOWN);
        }
    }

    @Test
    void isBusyWhenACopyIsAtTheLimit() {
        Redemption token = fixture.token();
        int[] owners = fixture.ledger.servers().owners(token.key(), 2);
        fixture.connection(owners[1]).capacity = 0;

        fixture.spend(token);
        fixture.settle(owners[0], StoreReply.STORED);

        assertThat(fixture.responses.get(0).busy()).isTrue();
        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void givesEachCopyItsShareOfTheDeadline() {
        Redemption token = fixture.token();
        int[] owners = fixture.ledger.servers().owners(token.key(), 2);
        long half = MemcachedLedgerFixture.DEADLINE.toNanos() / 2;
        long slack = Duration.ofSeconds(4).toNanos();
        long begin = Ticker.systemTicker().nanoTime();

        fixture.spend(token);
        long first = fixture.last(owners[0]).deadlineNanos();
        fixture.settle(owners[0], StoreReply.STORED);
        long second = fixture.last(owners[1]).deadlineNanos();

        assertThat(first - begin).isBetween(half, half + slack);
        assertThat(second - begin).isBetween(half, half + slack);
    }

    @Test
    void skipsAnExcludedServer() {
        fixture.state().leaveOut(0, true);
        for (int i = 0; i < 50; i++) {
            Redemption token = fixture.token();
            int[] owners = fixture.ledger.servers().owners(token.key(), 2);

            fixture.spend(token);
            for (int owner : owners) {
                if (owner != 0) {
                    fixture.settle(owner, StoreReply.STORED);
                }
            }

            assertThat(fixture.sentTo(0)).isZero();
            assertThat(fixture.response()).isEqualTo(SpendResult.FRESH);
        }
    }

    @Test
    void sendsNothingForATokenOfAnotherEpoch() {
        Redemption token = fixture.token();
        fixture.state().leaveOut(0, true);

        fixture.spend(token);

        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(fixture.sentTo(0) + fixture.sentTo(1) + fixture.sentTo(2)).isZero();
    }

    @Test
    void sendsATokenWithoutAnEpochAlsoToExcludedServers() {
        Redemption endless = Redemption.endless(
                fixture.token().key(), fixture.clock.instant().plusSeconds(60), Instant.EPOCH);
        int[] owners = fixture.ledger.servers().owners(endless.key(), 2);
        fixture.state().leaveOut(owners[0], true);

        fixture.spend(endless);

        assertThat(fixture.sentTo(owners[0])).isEqualTo(1);
    }

    @Test
    void sendsToOneServerWithoutCopies() {
        fixture.open(1, WhenForgotten.ROLL);
        for (int i = 0; i < 50; i++) {
            Redemption token = fixture.token();
            int owner = fixture.ledger.servers().owner(token.key());

            fixture.spend(token);
            fixture.settle(owner, StoreReply.STORED);

            assertThat(fixture.sentTo((owner + 1) % 3) + fixture.sentTo((owner + 2) % 3))
                    .isZero();
            assertThat(fixture.response()).isEqualTo(SpendResult.FRESH);
            assertThat(fixture.ledger.servers().owners(token.key(), 1)).containsExactly(owner);
        }
    }

    @Test
    void usesTheCurrentEpochForATokenWithoutOne() {
        Redemption token =
                new Redemption(fixture.token().key(), fixture.clock.instant().plusSeconds(60));
        int[] owners = fixture.ledger.servers().owners(token.key(), 2);

        fixture.spend(token);

        assertThat(fixture.last(owners[0]).redemption().epoch()).isEqualTo(fixture.ledger.epoch());
        fixture.ledger.epoch()[0]++;
        assertThat(fixture.ledger.epoch())
                .as("the caller owns the array")
                .isEqualTo(fixture.state().epoch());
    }

    @Test
    void returnsSpentAtTheEndOfATokenWithoutARequest() {
        Redemption expired = new Redemption(fixture.token().key(), fixture.clock.instant(), fixture.ledger.epoch());
        Redemption last =
                new Redemption(fixture.token().key(), fixture.clock.instant().plusMillis(1), fixture.ledger.epoch());
        int[] owners = fixture.ledger.servers().owners(expired.key(), 2);

        fixture.spend(expired);
        assertThat(fixture.response()).isEqualTo(SpendResult.SPENT);
        assertThat(fixture.sentTo(owners[0])).isZero();
        fixture.spend(last);
        assertThat(fixture.responses).isEmpty();
    }

    @Test
    void refundsEveryCopyThatMayHaveStoredTheToken() {
        Redemption token = fixture.token();
        int[] owners = fixture.ledger.servers().owners(token.key(), 2);
        fixture.spend(token);
        fixture.settle(owners[0], StoreReply.STORED);
        fixture.settle(owners[1], StoreReply.LOST);

        fixture.ledger.refund(fixture.responses.get(0));

        assertThat(FakeMemcachedConnection.text(fixture.connection(owners[0]).next()))
                .startsWith("gets test:1:");
        assertThat(FakeMemcachedConnection.text(fixture.connection(owners[1]).next()))
                .startsWith("gets test:1:");
    }

    @Test
    void refundsOnlySpendsThatMayBeStored() {
        fixture.open(1, WhenForgotten.ROLL);
        Map<StoreReply, Boolean> looked = new HashMap<>();
        for (StoreReply reply : StoreReply.values()) {
            Redemption token = fixture.token();
            int owner = fixture.ledger.servers().owner(token.key());
            fixture.spend(token);
            fixture.settle(owner, reply);
            fixture.ledger.refund(fixture.responses.remove(0));
            fixture.servers.settle();
            looked.put(reply, fixture.connection(owner).waiting() == 1);
            fixture.clear(owner);
        }
        Redemption unanswered = fixture.token();
        int owner = fixture.ledger.servers().owner(unanswered.key());
        fixture.spend(unanswered);
        PendingAdd add = fixture.last(owner);
        add.expire();
        fixture.ledger.refund(add);
        fixture.servers.settle();

        assertThat(looked)
                .containsEntry(StoreReply.STORED, true)
                .containsEntry(StoreReply.LOST, true)
                .containsEntry(StoreReply.NOT_STORED, false)
                .containsEntry(StoreReply.REFUSED, false)
                .containsEntry(StoreReply.UNSENT, false);
        assertThat(fixture.connection(owner).waiting()).as("may be stored late").isEqualTo(1);
    }

    @Test
    void refusesSpendsFromBeforeALossWhenChallengesStayValid() {
        fixture.open(1, WhenForgotten.REFUSE);
        Redemption token = fixture.token();
        int owner = fixture.ledger.servers().owner(token.key());
        fixture.spend(token);
        fixture.settle(owner, StoreReply.STORED);
        assertThat(fixture.response()).isEqualTo(SpendResult.FRESH);

        fixture.state().observed(owner, MemcachedFixture.OTHER_MARKER);
        fixture.connection(owner).connection().marker(MemcachedFixture.OTHER_MARKER);
        fixture.spend(token);
        fixture.settle(owner, StoreReply.STORED);

        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void excludesAServerOnlyWhenChallengesHaveAnEpoch() {
        for (WhenForgotten configured : WhenForgotten.values()) {
            fixture.open(2, configured);
            fixture.connection(1).connection().marker(null);
            long now = Ticker.systemTicker().nanoTime();
            fixture.ledger.servers().maintain(now);
            fixture.ledger.servers().maintain(now + ServerAvailability.UNAVAILABLE_NANOS);

            assertThat(fixture.state().view().leftOut())
                    .as("when-forgotten: %s", configured)
                    .containsExactly(false, configured == WhenForgotten.ROLL, false);
        }
    }

    @Test
    void closesEveryConnection() {
        fixture.ledger.close();

        assertThat(fixture.connections.values()).hasSize(3).allMatch(connection -> connection.closed);
    }

    @Test
    void addsTheTimesOfTheCopies() {
        Redemption token = fixture.token();
        int[] owners = fixture.ledger.servers().owners(token.key(), 2);
        long begin = Ticker.systemTicker().nanoTime();
        fixture.spend(token);
        for (int owner : owners) {
            WriteTiming timing = new WriteTiming();
            fixture.last(owner).goes(timing);
            timing.begin(begin + 10);
            timing.end(begin + 13);
            fixture.settle(owner, StoreReply.STORED);
        }

        PendingSpend spend = fixture.responses.get(0);
        assertThat(spend.busy()).isFalse();
        assertThat(fixture.response()).isEqualTo(SpendResult.FRESH);
        assertThat(spend.times(begin, Ticker.systemTicker().nanoTime()).write()).isEqualTo(6);
    }

    @Test
    void knowsTokensThatAServerReportedAsSpent() {
        Redemption token = fixture.token();
        assertThat(fixture.ledger.knownSpent(token.key())).isFalse();

        fixture.spend(token);
        fixture.settle(fixture.ledger.servers().owners(token.key(), 2)[0], StoreReply.NOT_STORED);

        assertThat(fixture.ledger.knownSpent(token.key())).isTrue();
        assertThat(fixture.ledger.knownSpent(fixture.token().key())).isFalse();
    }

    @Test
    void endsItsThreadOnClose() throws Exception {
        CompletableFuture<Thread> worked = new CompletableFuture<>();
        fixture.servers.scheduler.now(() -> worked.complete(Thread.currentThread()));
        Thread thread = worked.get(10, TimeUnit.SECONDS);

        fixture.ledger.close();

        thread.join(10_000);
        assertThat(thread.isAlive()).isFalse();
    }
}
