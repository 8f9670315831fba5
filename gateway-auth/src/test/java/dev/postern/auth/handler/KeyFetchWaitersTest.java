package dev.postern.auth.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeyFetchWaitersTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> ran = new ArrayList<>();
    private @Nullable CompletableFuture<Void> fetch = new CompletableFuture<>();
    private final KeyFetchWaiters waiters = new KeyFetchWaiters(issuer -> fetch);

    @BeforeEach
    void freeze() {
        channel.freezeTime();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void continuesWhenTheIssuerHasResponded() {
        assertThat(await("a")).isTrue();
        assertThat(ran).isEmpty();

        complete();

        assertThat(ran).containsExactly("a");
        later(600);
        assertThat(ran).containsExactly("a");
    }

    @Test
    void continuesAfterHalfASecondWithoutAResponse() {
        await("a");
        later(499);
        assertThat(ran).isEmpty();
        later(1);
        assertThat(ran).containsExactly("a");

        complete();
        assertThat(ran).containsExactly("a");
    }

    @Test
    void doesNotWaitWithoutAFetch() {
        fetch = null;
        assertThat(await("a")).isFalse();
        fetch = new CompletableFuture<>();
        assertThat(waiters.await("", channel.eventLoop(), () -> ran.add("b"))).isFalse();
        later(600);
        assertThat(ran).isEmpty();
    }

    @Test
    void limitsWaitingExchanges() {
        for (int i = 0; i < KeyFetchWaiters.MAX_WAITING; i++) {
            assertThat(await("a")).isTrue();
        }
        assertThat(await("one too many")).isFalse();

        complete();

        assertThat(ran).hasSize(KeyFetchWaiters.MAX_WAITING).doesNotContain("one too many");
        assertThat(await("again")).isTrue();
    }

    private boolean await(String name) {
        return waiters.await("issuer.example", channel.eventLoop(), () -> ran.add(name));
    }

    private void complete() {
        CompletableFuture<Void> running = fetch;
        if (running != null) {
            running.complete(null);
        }
        channel.runPendingTasks();
    }

    private void later(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }
}
