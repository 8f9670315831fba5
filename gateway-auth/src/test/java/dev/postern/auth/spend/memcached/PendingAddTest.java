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
    private final MemcachedServer server = rig.server();
    private final FakePipe pipe = new FakePipe(new MarkedConnection(new MarkedConnection.Listener() {}));

    @BeforeEach
    void verify() {
        rig.marks.seen(0, Rig.MARK);
        pipe.connection().mark(Rig.MARK);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @CsvSource({"STORED, FRESH", "NOT_STORED, SPENT", "REFUSED, UNKNOWN", "UNSENT, UNKNOWN", "LOST, UNKNOWN"})
    void saysWhatTheServerSaid(StoreReply reply, SpendResult result) {
        PendingAdd add = rig.attempt(server);
        assertThat(add.responded()).isFalse();
        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);

        pipe.settle(add, reply);

        assertThat(rig.responses).containsExactly(add);
        assertThat(add.responded()).isTrue();
        assertThat(add.result()).isEqualTo(result);
        assertThat(add.reply()).isEqualTo(reply);
        assertThat(add.busy()).isFalse();
    }

    @Test
    void isNotFreshOnAConnectionWhoseServerDidNotShowItsMark() {
        pipe.connection().mark(null);
        PendingAdd add = rig.attempt(server);

        pipe.settle(add, StoreReply.STORED);

        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void isNotFreshByAMarkThatIsNoLongerTheServers() {
        PendingAdd add = rig.attempt(server);
        rig.marks.seen(0, Rig.OTHER_MARK);

        pipe.settle(add, StoreReply.STORED);

        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void isNotFreshByTheRightMarkOfAnotherEpoch() {
        PendingAdd add = rig.attempt(server);
        rig.marks.seen(1, Rig.OTHER_MARK);

        pipe.settle(add, StoreReply.STORED);

        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void staysUnknownWhateverComesAfterItsTime(StoreReply reply) {
        PendingAdd add = rig.attempt(server);

        add.expire();
        assertThat(rig.responses).containsExactly(add);
        pipe.settle(add, reply);

        assertThat(rig.responses).as("told once").hasSize(1);
        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(add.responded()).isTrue();
        assertThat(rig.registry.counter("postern.ledger.late").count()).isEqualTo(1);
    }

    @Test
    void getsNoSecondResponseByItsDeadline() {
        PendingAdd add = rig.attempt(server);
        pipe.settle(add, StoreReply.STORED);

        add.expire();

        assertThat(rig.responses).hasSize(1);
        assertThat(add.result()).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void remembersWhatWasSpentAlsoAfterItsTime() {
        PendingAdd add = rig.attempt(server);
        add.expire();
        assertThat(rig.known.contains(add.redemption().key())).isFalse();

        pipe.settle(add, StoreReply.NOT_STORED);

        assertThat(rig.known.contains(add.redemption().key())).isTrue();
    }

    @Test
    void opensTheBreakerByWhatIsLostOrNeverSentOrTooLateAndByNothingElse() {
        for (int i = 0; i < 100; i++) {
            pipe.settle(rig.attempt(server), StoreReply.values()[i % 3]);
        }
        assertThat(server.state()).endsWith("breaker closed");
        for (StoreReply reply : new StoreReply[] {StoreReply.LOST, StoreReply.UNSENT}) {
            MemcachedServer other = rig.server();
            for (int i = 0; i < 64; i++) {
                pipe.settle(rig.attempt(other), reply);
            }
            assertThat(other.state()).as("%s", reply).endsWith("breaker open");
        }
        MemcachedServer late = rig.server();
        for (int i = 0; i < 64; i++) {
            rig.attempt(late).expire();
        }
        assertThat(late.state()).endsWith("breaker open");
    }

    @Test
    void waitsInTheQueueUntilItIsWrittenAndThenForTheStore() {
        PendingAdd add = rig.attempt(server);
        WriteTiming timing = new WriteTiming();
        add.goes(timing);
        long now = System.nanoTime();

        assertThat(add.times(now - 300, now + 1_000)).isEqualTo(new SpendLatency(1_300, 0, 0));

        timing.begin(now);
        timing.end(now + 10);

        assertThat(add.times(now - 300, now + 1_000)).isEqualTo(new SpendLatency(300, 10, 0));
        assertThat(add.times(now - 300, now + 5_000)).isEqualTo(new SpendLatency(300, 10, 0));
    }

    @Test
    void onItsWayBackIsWhatFollowsTheResponse() {
        long asked = System.nanoTime();
        PendingAdd add = rig.attempt(server);
        add.goes(new WriteTiming());
        pipe.settle(add, StoreReply.NOT_STORED);
        long now = System.nanoTime();

        assertThat(add.times(asked, now + 1_000).back())
                .isEqualTo(add.times(asked, now).back() + 1_000);
        assertThat(add.times(asked, now + 1_000).queue())
                .isEqualTo(add.times(asked, now).queue());
    }

    @Test
    void whoeverWasNotAskedTookNoTime() {
        PendingAdd add = rig.attempt(server);

        pipe.settle(add, StoreReply.UNSENT);

        assertThat(add.times(1, 5)).isEqualTo(SpendLatency.NONE);
    }
}
