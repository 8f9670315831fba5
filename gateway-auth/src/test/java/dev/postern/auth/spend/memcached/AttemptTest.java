package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.Spend;
import dev.postern.auth.spend.SpendTimes;
import dev.postern.auth.spend.store.Fate;
import dev.postern.auth.spend.store.Sending;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptTest {

    private final Rig rig = new Rig();
    private final Link link = rig.link();
    private final FakePipe pipe = new FakePipe(new Contact(new Contact.Listener() {}));

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
    void saysWhatTheServerSaid(Fate fate, Spend spend) {
        Attempt attempt = rig.attempt(link);
        assertThat(attempt.answered()).isFalse();
        assertThat(attempt.result()).isEqualTo(Spend.UNKNOWN);

        pipe.settle(attempt, fate);

        assertThat(rig.answers).containsExactly(attempt);
        assertThat(attempt.answered()).isTrue();
        assertThat(attempt.result()).isEqualTo(spend);
        assertThat(attempt.fate()).isEqualTo(fate);
        assertThat(attempt.busy()).isFalse();
    }

    @Test
    void isNotFreshOnAConnectionWhoseServerDidNotShowItsMark() {
        pipe.contact().mark(null);
        Attempt attempt = rig.attempt(link);

        pipe.settle(attempt, Fate.STORED);

        assertThat(attempt.result()).isEqualTo(Spend.UNKNOWN);
    }

    @Test
    void isNotFreshByAMarkThatIsNoLongerTheServers() {
        Attempt attempt = rig.attempt(link);
        rig.marks.seen(0, Rig.OTHER_MARK);

        pipe.settle(attempt, Fate.STORED);

        assertThat(attempt.result()).isEqualTo(Spend.UNKNOWN);
    }

    @Test
    void isNotFreshByTheRightMarkOfAnotherEpoch() {
        Attempt attempt = rig.attempt(link);
        rig.marks.seen(1, Rig.OTHER_MARK);

        pipe.settle(attempt, Fate.STORED);

        assertThat(attempt.result()).isEqualTo(Spend.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void staysUnknownWhateverComesAfterItsTime(Fate fate) {
        Attempt attempt = rig.attempt(link);

        attempt.expire();
        assertThat(rig.answers).containsExactly(attempt);
        pipe.settle(attempt, fate);

        assertThat(rig.answers).as("told once").hasSize(1);
        assertThat(attempt.result()).isEqualTo(Spend.UNKNOWN);
        assertThat(attempt.answered()).isTrue();
        assertThat(rig.registry.counter("postern.ledger.late").count()).isEqualTo(1);
    }

    @Test
    void isNotAnsweredAgainByItsDeadline() {
        Attempt attempt = rig.attempt(link);
        pipe.settle(attempt, Fate.STORED);

        attempt.expire();

        assertThat(rig.answers).hasSize(1);
        assertThat(attempt.result()).isEqualTo(Spend.FRESH);
    }

    @Test
    void remembersWhatWasSpentAlsoAfterItsTime() {
        Attempt attempt = rig.attempt(link);
        attempt.expire();
        assertThat(rig.known.contains(attempt.redemption().key())).isFalse();

        pipe.settle(attempt, Fate.NOT_STORED);

        assertThat(rig.known.contains(attempt.redemption().key())).isTrue();
    }

    @Test
    void opensTheBreakerByWhatIsLostOrNeverSentOrTooLateAndByNothingElse() {
        for (int i = 0; i < 100; i++) {
            pipe.settle(rig.attempt(link), Fate.values()[i % 3]);
        }
        assertThat(link.state()).endsWith("breaker closed");
        for (Fate fate : new Fate[] {Fate.LOST, Fate.UNSENT}) {
            Link other = rig.link();
            for (int i = 0; i < 64; i++) {
                pipe.settle(rig.attempt(other), fate);
            }
            assertThat(other.state()).as("%s", fate).endsWith("breaker open");
        }
        Link late = rig.link();
        for (int i = 0; i < 64; i++) {
            rig.attempt(late).expire();
        }
        assertThat(late.state()).endsWith("breaker open");
    }

    @Test
    void waitsInTheQueueUntilItIsWrittenAndThenForTheStore() {
        Attempt attempt = rig.attempt(link);
        Sending sending = new Sending();
        attempt.goes(sending);
        long now = System.nanoTime();

        assertThat(attempt.times(now - 300, now + 1_000)).isEqualTo(new SpendTimes(1_300, 0, 0));

        sending.begin(now);
        sending.end(now + 10);

        assertThat(attempt.times(now - 300, now + 1_000)).isEqualTo(new SpendTimes(300, 10, 0));
        assertThat(attempt.times(now - 300, now + 5_000)).isEqualTo(new SpendTimes(300, 10, 0));
    }

    @Test
    void onItsWayBackIsWhatFollowsTheAnswer() {
        long asked = System.nanoTime();
        Attempt attempt = rig.attempt(link);
        attempt.goes(new Sending());
        pipe.settle(attempt, Fate.NOT_STORED);
        long now = System.nanoTime();

        assertThat(attempt.times(asked, now + 1_000).back())
                .isEqualTo(attempt.times(asked, now).back() + 1_000);
        assertThat(attempt.times(asked, now + 1_000).queue())
                .isEqualTo(attempt.times(asked, now).queue());
    }

    @Test
    void whoeverWasNotAskedTookNoTime() {
        Attempt attempt = rig.attempt(link);

        pipe.settle(attempt, Fate.UNSENT);

        assertThat(attempt.times(1, 5)).isEqualTo(SpendTimes.NONE);
    }
}
