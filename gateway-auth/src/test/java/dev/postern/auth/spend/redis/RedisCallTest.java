package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.Spend;
import dev.postern.auth.spend.SpendTimes;
import dev.postern.auth.spend.store.Fate;
import dev.postern.auth.spend.store.Sending;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisCallTest {

    private final RedisRig rig = new RedisRig();
    private final RedisNode node = rig.node();

    @BeforeEach
    void verify() {
        rig.marks.seen(0, RedisRig.MARK);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void saysWhatTheServerSaid() {
        assertThat(answer(Scripts.STORED, null, true).result()).isEqualTo(Spend.FRESH);
        assertThat(answer(Scripts.SPENT, null, true).result()).isEqualTo(Spend.SPENT);
        assertThat(answer(Scripts.OTHER_MARK, null, true).result()).isEqualTo(Spend.UNKNOWN);
        assertThat(answer(77L, null, true).result()).isEqualTo(Spend.UNKNOWN);
        assertThat(answer(null, new RedisException("gone"), true).result()).isEqualTo(Spend.UNKNOWN);
        assertThat(rig.answers)
                .hasSize(5)
                .allSatisfy(one -> assertThat(one.busy()).isFalse());
    }

    @Test
    void tellsApartWhatWasRefusedAndWhatWasLost() {
        assertThat(answer(Scripts.STORED, null, true).fate()).isEqualTo(Fate.STORED);
        assertThat(answer(Scripts.SPENT, null, true).fate()).isEqualTo(Fate.NOT_STORED);
        assertThat(answer(Scripts.OTHER_MARK, null, true).fate()).isEqualTo(Fate.REFUSED);
        assertThat(answer(null, new RedisCommandExecutionException("MOVED 1 other:1"), true)
                        .fate())
                .isEqualTo(Fate.REFUSED);
        assertThat(answer(null, new RedisException("gone"), true).fate()).isEqualTo(Fate.LOST);
    }

    @Test
    void tellsWhereItsTimeWent() {
        RedisCall call = call();
        Sending sending = new Sending();
        call.goes(sending);
        long now = System.nanoTime();
        assertThat(call.times(now - 300, now + 1_000)).isEqualTo(new SpendTimes(1_300, 0, 0));
        sending.begin(now);
        sending.end(now + 10);
        assertThat(call.times(now - 300, now + 5_000)).isEqualTo(new SpendTimes(300, 10, 0));

        call.came(Scripts.SPENT, null, CompletableFuture.completedFuture(true));
        rig.channel.runPendingTasks();
        long then = System.nanoTime();

        assertThat(call.times(now, then + 1_000).back())
                .isEqualTo(call.times(now, then).back() + 1_000);
        assertThat(answer(Scripts.SPENT, null, true).times(now, then)).isEqualTo(SpendTimes.NONE);
    }

    @Test
    void isFreshOnlyWhenACopyIsThere() {
        RedisCall call = call();
        CompletableFuture<Boolean> copied = new CompletableFuture<>();
        call.came(Scripts.STORED, null, copied);
        rig.channel.runPendingTasks();
        assertThat(call.answered()).isFalse();
        assertThat(call.fate()).as("to be given back").isEqualTo(Fate.STORED);

        copied.complete(true);
        rig.channel.runPendingTasks();

        assertThat(call.result()).isEqualTo(Spend.FRESH);
        assertThat(answer(Scripts.STORED, null, false).result()).isEqualTo(Spend.UNKNOWN);
    }

    @Test
    void isNotFreshByAMarkOrAnEpochThatIsNoLonger() {
        RedisCall call = call();
        rig.marks.seen(1, RedisRig.OTHER_MARK);
        call.came(Scripts.STORED, null, CompletableFuture.completedFuture(true));
        rig.channel.runPendingTasks();
        assertThat(call.result()).isEqualTo(Spend.UNKNOWN);

        rig.marks.seen(0, RedisRig.OTHER_MARK);
        assertThat(answer(Scripts.STORED, null, true).result()).isEqualTo(Spend.UNKNOWN);
    }

    @Test
    void staysUnknownWhateverComesAfterItsTime() {
        for (Long answer : List.of(Scripts.STORED, Scripts.SPENT, Scripts.OTHER_MARK)) {
            rig.answers.clear();
            RedisCall call = call();
            call.expire();
            assertThat(rig.answers).hasSize(1);

            call.came(answer, null, CompletableFuture.completedFuture(true));
            rig.channel.runPendingTasks();

            assertThat(rig.answers).as("told once").hasSize(1);
            assertThat(call.result()).isEqualTo(Spend.UNKNOWN);
        }
        assertThat(rig.registry.counter("postern.ledger.late").count()).isEqualTo(3);
    }

    @Test
    void isNotAnsweredAgainByItsDeadline() {
        RedisCall call = answer(Scripts.STORED, null, true);

        call.expire();

        assertThat(rig.answers).hasSize(1);
        assertThat(call.result()).isEqualTo(Spend.FRESH);
    }

    @Test
    void remembersWhatIsSpent() {
        assertThat(rig.known.contains(answer(Scripts.STORED, null, true)
                        .request()
                        .redemption()
                        .key()))
                .isFalse();

        RedisCall spent = answer(Scripts.SPENT, null, true);

        assertThat(rig.known.contains(spent.request().redemption().key())).isTrue();
    }

    @Test
    void givesItsPlaceBackOnceSettledHoweverThatWas() {
        int before = node.inFlight();
        answer(Scripts.STORED, null, true);
        answer(Scripts.SPENT, null, true);
        answer(Scripts.OTHER_MARK, null, true);
        answer(null, new RedisException("gone"), true);
        call().unsent();

        assertThat(node.inFlight()).isEqualTo(before - 5);
    }

    @Test
    void opensTheBreakerByWhatIsLostOrNeverSentOrTooLateAndByNothingElse() {
        for (int i = 0; i < 100; i++) {
            answer(i % 3L, null, true);
        }
        assertThat(node.state()).endsWith("breaker closed");
        for (int how = 0; how < 3; how++) {
            RedisNode other = rig.node();
            for (int i = 0; i < 64; i++) {
                RedisCall call = new RedisCall(rig.request(), other, RedisRig.later(), rig.answers::add);
                if (how == 0) {
                    call.unsent();
                } else if (how == 1) {
                    call.came(null, new RedisException("gone"), CompletableFuture.completedFuture(true));
                } else {
                    call.expire();
                }
                rig.channel.runPendingTasks();
            }
            assertThat(other.state()).endsWith("breaker open");
        }
    }

    private RedisCall call() {
        return new RedisCall(rig.request(), node, RedisRig.later(), rig.answers::add);
    }

    private RedisCall answer(@Nullable Long answer, @Nullable Throwable failure, boolean copied) {
        RedisCall call = call();
        call.came(answer, failure, CompletableFuture.completedFuture(copied));
        rig.channel.runPendingTasks();
        return call;
    }
}
