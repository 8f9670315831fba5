package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.LoopExtension;
import io.netty.util.concurrent.Ticker;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EventLoopDeadlinesTest {

    @RegisterExtension
    static final LoopExtension LOOP = new LoopExtension();

    private final EventLoopDeadlines deadlines = new EventLoopDeadlines(LOOP.loop());
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Boolean> last = new CompletableFuture<>();

    @Test
    void expiresTasksInOrderOnTheEventLoop() throws Exception {
        long now = Ticker.systemTicker().nanoTime();
        LOOP.loop().execute(() -> {
            deadlines.await(new RecordingTask("past", now, false));
            deadlines.await(new RecordingTask("soon", now + TimeUnit.MILLISECONDS.toNanos(20), false));
            deadlines.await(new RecordingTask("last", now + TimeUnit.MILLISECONDS.toNanos(40), false));
        });

        assertThat(last.get(10, TimeUnit.SECONDS)).as("on the event loop").isTrue();
        assertThat(received).containsExactly("past", "soon", "last");
    }

    @Test
    void doesNotExpireCompletedTasks() throws Exception {
        long now = Ticker.systemTicker().nanoTime();
        LOOP.loop().execute(() -> {
            deadlines.await(new RecordingTask("past", now, false));
            deadlines.await(new RecordingTask("completed", now + TimeUnit.HOURS.toNanos(1), true));
            deadlines.await(new RecordingTask("last", now, false));
        });

        last.get(10, TimeUnit.SECONDS);
        assertThat(received).containsExactly("past", "completed", "last");
    }

    @Test
    void schedulesItsTimerAgainAfterAPause() throws Exception {
        doesNotExpireCompletedTasks();
        CompletableFuture<Boolean> again = new CompletableFuture<>();
        LOOP.loop()
                .execute(() -> deadlines.await(
                        new RecordingTask("again", Ticker.systemTicker().nanoTime(), false) {
                            @Override
                            public void expire() {
                                again.complete(true);
                            }
                        }));

        assertThat(again.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void completesOnItsEventLoop() throws Exception {
        deadlines.hand(new RecordingTask("last", 0, true));

        assertThat(last.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(received).containsExactly("run last");
        assertThat(deadlines.loop()).isSameAs(LOOP.loop());
    }

    /** Records its calls; the last one ends the test. */
    private class RecordingTask implements DeadlineTask {

        private final String name;
        private final long deadline;
        private final boolean responded;

        RecordingTask(String name, long deadline, boolean responded) {
            this.name = name;
            this.deadline = deadline;
            this.responded = responded;
        }

        @Override
        public boolean responded() {
            return responded;
        }

        @Override
        public long deadlineNanos() {
            return deadline;
        }

        @Override
        public void expire() {
            note(name);
        }

        @Override
        public void run() {
            note("run " + name);
        }

        private void note(String subject) {
            received.add(subject);
            if (name.equals("last")) {
                last.complete(LOOP.loop().inEventLoop());
            }
        }
    }
}
