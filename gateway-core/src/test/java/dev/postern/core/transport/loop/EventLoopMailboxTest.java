package dev.postern.core.transport.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the tasks that other threads leave for an event loop. */
class EventLoopMailboxTest {

    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final EventLoopMailbox mailbox = new EventLoopMailbox(loop.eventLoop());
    private final List<String> ran = new ArrayList<>();

    @Test
    void runsTasksLaterAndInTheirOrder() {
        mailbox.add(() -> ran.add("one"));
        mailbox.add(() -> ran.add("two"));
        assertThat(ran).isEmpty();
        loop.runPendingTasks();
        assertThat(ran).containsExactly("one", "two");
    }

    @Test
    void runsWhatATaskAdds() {
        mailbox.add(() -> mailbox.add(() -> ran.add("added")));
        loop.runPendingTasks();
        assertThat(ran).containsExactly("added");
        mailbox.add(() -> ran.add("later"));
        loop.runPendingTasks();
        assertThat(ran).containsExactly("added", "later");
    }

    /** The response of a store behind a task that fails must not wait for the next response. */
    @Test
    void aTaskThatFailsHoldsNoOtherBack() {
        mailbox.add(() -> {
            throw new IllegalStateException("a listener that fails");
        });
        mailbox.add(() -> ran.add("next"));
        loop.runPendingTasks();
        loop.runPendingTasks();
        assertThat(ran).containsExactly("next");
    }
}
