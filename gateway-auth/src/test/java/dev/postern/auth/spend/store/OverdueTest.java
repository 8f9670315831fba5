package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A spend of 50 ms on a loop and a clock that move when they are told to. */
class OverdueTest {

    private static final long DEADLINE = TimeUnit.MILLISECONDS.toNanos(50);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final AtomicLong clock = new AtomicLong();
    private final EventLoopDeadlines deadlines = new EventLoopDeadlines(channel.eventLoop(), clock::get);
    private final List<Runnable> looks = new ArrayList<>();
    private final Question question = new Question();

    @BeforeEach
    void begin() {
        channel.freezeTime();
        deadlines.await(question);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void silentServerIsFoundSilentAtTheDeadline() {
        pass(49);
        assertThat(looks).isEmpty();
        pass(1);
        assertThat(question.expired).as("what has arrived is read first").isZero();

        looks.get(0).run();

        assertThat(question.expired).isEqualTo(1);
        pass(1_000);
        assertThat(question.expired).as("once").isEqualTo(1);
    }

    @Test
    void responseThatLayUnreadWhileTheLoopStoodStillCounts() {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(4));
        channel.advanceTimeBy(4, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        question.responded = true;
        looks.get(0).run();
        pass(1_000);

        assertThat(looks).hasSize(1);
        assertThat(question.expiredUnanswered).isZero();
    }

    @Test
    void questionThatWasSentLateGetsItsTimeFromThenOn() {
        question.sent = TimeUnit.MILLISECONDS.toNanos(40);
        pass(50);
        looks.get(0).run();

        pass(39);
        assertThat(question.expired).isZero();
        pass(1);
        assertThat(question.expired).isEqualTo(1);
    }

    @Test
    void questionThatWasSentLateIsNotExpiredWhenItsResponseComes() {
        question.sent = TimeUnit.MILLISECONDS.toNanos(40);
        pass(50);
        looks.get(0).run();

        question.responded = true;
        pass(1_000);

        assertThat(question.expiredUnanswered).isZero();
    }

    @Test
    void standstillIsNotCountedOutForEver() {
        pass(50);
        pass(249);
        assertThat(question.expired).isZero();
        pass(1);
        assertThat(question.expired).as("nobody called back").isEqualTo(1);
        looks.get(0).run();
        assertThat(question.expired).isEqualTo(1);
    }

    @Test
    void timeOfAQuestionThatWasSentLateHasTheSameBound() {
        question.sent = TimeUnit.SECONDS.toNanos(9);
        pass(50);
        looks.get(0).run();
        pass(249);
        assertThat(question.expired).isZero();
        pass(1);
        assertThat(question.expired).isEqualTo(1);
    }

    private void pass(long millis) {
        clock.addAndGet(Duration.ofMillis(millis).toNanos());
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    private final class Question implements DeadlineTask {

        private long sent;
        private boolean responded;
        private int expired;
        private int expiredUnanswered;

        @Override
        public boolean responded() {
            return responded;
        }

        @Override
        public long deadlineNanos() {
            return DEADLINE;
        }

        @Override
        public long dueNanos() {
            return sent + DEADLINE;
        }

        @Override
        public void look(Runnable continuation) {
            looks.add(continuation);
        }

        @Override
        public void expire() {
            expired++;
            expiredUnanswered += responded ? 0 : 1;
        }

        @Override
        public void run() {}
    }
}
