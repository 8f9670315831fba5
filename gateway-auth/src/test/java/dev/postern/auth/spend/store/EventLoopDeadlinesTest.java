package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.LoopExtension;
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
    void expiresInOrderWhatWasNotRespondedByItsDeadlineOnTheLoop() throws Exception {
        long now = System.nanoTime();
        LOOP.loop().execute(() -> {
            deadlines.await(new Question("past", now, false));
            deadlines.await(new Question("soon", now + TimeUnit.MILLISECONDS.toNanos(20), false));
            deadlines.await(new Question("last", now + TimeUnit.MILLISECONDS.toNanos(40), false));
        });

        assertThat(last.get(10, TimeUnit.SECONDS)).as("on the loop").isTrue();
        assertThat(received).containsExactly("past", "soon", "last");
    }

    @Test
    void doesNotWaitAfterItsResponse() throws Exception {
        long now = System.nanoTime();
        LOOP.loop().execute(() -> {
            deadlines.await(new Question("past", now, false));
            deadlines.await(new Question("answered", now + TimeUnit.HOURS.toNanos(1), true));
            deadlines.await(new Question("last", now, false));
        });

        last.get(10, TimeUnit.SECONDS);
        assertThat(received).containsExactly("past", "answered", "last");
    }

    @Test
    void armsItsTimerAgainAfterARest() throws Exception {
        doesNotWaitAfterItsResponse();
        CompletableFuture<Boolean> again = new CompletableFuture<>();
        LOOP.loop()
                .execute(() -> deadlines.await(new Question("again", System.nanoTime(), false) {
                    @Override
                    public void expire() {
                        again.complete(true);
                    }
                }));

        assertThat(again.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void bringsResponsesToItsLoop() throws Exception {
        deadlines.hand(new Question("last", 0, true));

        assertThat(last.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(received).containsExactly("run last");
        assertThat(deadlines.loop()).isSameAs(LOOP.loop());
    }

    /** Notes what it is told; the one called last ends the test. */
    private class Question implements DeadlineTask {

        private final String name;
        private final long deadline;
        private final boolean responded;

        Question(String name, long deadline, boolean responded) {
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
