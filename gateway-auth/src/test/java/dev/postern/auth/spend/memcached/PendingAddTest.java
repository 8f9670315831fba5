package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.WriteTiming;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PendingAddTest {

    private final Rig rig = new Rig();
    private final MemcachedServer link = rig.link();
    private final FakePipe pipe = new FakePipe(new MarkedConnection(new MarkedConnection.Listener() {}));

    @BeforeEach
    void verify() {
        rig.marks.seen(0, Rig.MARK);
        pipe.contact().mark(Rig.MARK);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @CsvSource({"STORED, FRESH", "NOT_STORED, SPENT", "REFUSED, UNKNOWN", "UNSENT, UNKNOWN", "LOST, UNKNOWN"})
    void saysWhatTheServerSaid(StoreReply fate, SpendResult spend) {
        PendingAdd attempt = rig.attempt(link);
        assertThat(attempt.responded()).isFalse();
        assertThat(attempt.result()).isEqualTo(SpendResult.UNKNOWN);

        pipe.settle(attempt, fate);

        assertThat(rig.responses).containsExactly(attempt);
        assertThat(attempt.responded()).isTrue();
        assertThat(attempt.result()).isEqualTo(spend);
        assertThat(attempt.fate()).isEqualTo(fate);
        assertThat(attempt.busy()).isFalse();
    }

    @Test
    void isNotFreshOnAConnectionWhoseServerDidNotShowItsMark() {
        pipe.contact().mark(null);
        PendingAdd attempt = rig.attempt(link);

        pipe.settle(attempt, StoreReply.STORED);

        assertThat(attempt.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void isNotFreshByAMarkThatIsNoLongerTheServers() {
        PendingAdd attempt = rig.attempt(link);
        rig.marks.seen(0, Rig.OTHER_MARK);

        pipe.settle(attempt, StoreReply.STORED);

        assertThat(attempt.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void isNotFreshByTheRightMarkOfAnotherEpoch() {
        PendingAdd attempt = rig.attempt(link);
        rig.marks.seen(1, Rig.OTHER_MARK);

        pipe.settle(attempt, StoreReply.STORED);

        assertThat(attempt.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void staysUnknownWhateverComesAfterItsTime(StoreReply fate) {
        PendingAdd attempt = rig.attempt(link);

        attempt.expire();
        assertThat(rig.responses).containsExactly(attempt);
        pipe.settle(attempt, fate);

        assertThat(rig.responses).as("told once").hasSize(1);
        assertThat(attempt.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(attempt.responded()).isTrue();
        assertThat(rig.registry.counter("postern.ledger.late").count()).isEqualTo(1);
    }

    @Test
    void isNotRespondedAgainByItsDeadline() {
        PendingAdd attempt = rig.attempt(link);
        pipe.settle(attempt, StoreReply.STORED);

        attempt.expire();

        assertThat(rig.responses).hasSize(1);
        assertThat(attempt.result()).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void remembersWhatWasSpentAlsoAfterItsTime() {
        PendingAdd attempt = rig.attempt(link);
        attempt.expire();
        assertThat(rig.known.contains(attempt.redemption().key())).isFalse();

        pipe.settle(attempt, StoreReply.NOT_STORED);

        assertThat(rig.known.contains(attempt.redemption().key())).isTrue();
    }

    @Test
    void opensTheBreakerByWhatIsLostOrNeverSentOrTooLateAndByNothingElse() {
        for (int i = 0; i < 100; i++) {
            pipe.settle(rig.attempt(link), StoreReply.values()[i % 3]);
        }
        assertThat(link.state()).endsWith("breaker closed");
        for (StoreReply fate : new StoreReply[] {StoreReply.LOST, StoreReply.UNSENT}) {
            MemcachedServer other = rig.link();
            for (int i = 0; i < 64; i++) {
                pipe.settle(rig.attempt(other), fate);
            }
            assertThat(other.state()).as("%s", fate).endsWith("breaker open");
        }
        MemcachedServer late = rig.link();
        for (int i = 0; i < 64; i++) {
            rig.attempt(late).expire();
        }
        assertThat(late.state()).endsWith("breaker open");
    }

    @Test
    void waitsInTheQueueUntilItIsWrittenAndThenForTheStore() {
        PendingAdd attempt = rig.attempt(link);
        WriteTiming sending = new WriteTiming();
        attempt.goes(sending);
        long now = System.nanoTime();

        assertThat(attempt.times(now - 300, now + 1_000)).isEqualTo(new SpendLatency(1_300, 0, 0));

        sending.begin(now);
        sending.end(now + 10);

        assertThat(attempt.times(now - 300, now + 1_000)).isEqualTo(new SpendLatency(300, 10, 0));
        assertThat(attempt.times(now - 300, now + 5_000)).isEqualTo(new SpendLatency(300, 10, 0));
    }

    @Test
    void onItsWayBackIsWhatFollowsTheResponse() {
        long asked = System.nanoTime();
        PendingAdd attempt = rig.attempt(link);
        attempt.goes(new WriteTiming());
        pipe.settle(attempt, StoreReply.NOT_STORED);
        long now = System.nanoTime();

        assertThat(attempt.times(asked, now + 1_000).back())
                .isEqualTo(attempt.times(asked, now).back() + 1_000);
        assertThat(attempt.times(asked, now + 1_000).queue())
                .isEqualTo(attempt.times(asked, now).queue());
    }

    @Test
    void whoeverWasNotAskedTookNoTime() {
        PendingAdd attempt = rig.attempt(link);

        pipe.settle(attempt, StoreReply.UNSENT);

        assertThat(attempt.times(1, 5)).isEqualTo(SpendLatency.NONE);
    }
}
