package dev.postern.auth.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.LoopExtension;
import dev.postern.auth.verify.VerificationExecutor.Response;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class VerificationExecutorTest {

    @RegisterExtension
    static final LoopExtension LOOP = new LoopExtension();

    private final VerificationExecutor executor = new VerificationExecutor(1, 1, Duration.ofMinutes(1));

    @AfterEach
    void close() {
        executor.close();
    }

    @Test
    void completesWithTheResultOnTheEventLoop() throws Exception {
        CompletableFuture<Boolean> onLoop = new CompletableFuture<>();
        executor.offer(
                () -> true, LOOP.loop(), response -> onLoop.complete(LOOP.loop().inEventLoop()));

        assertThat(onLoop.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(response(() -> true)).isEqualTo(Response.ACCEPTED);
        assertThat(response(() -> false)).isEqualTo(Response.REFUSED);
    }

    @Test
    void refusesWhenTheCheckThrows() throws Exception {
        assertThat(response(() -> {
                    throw new IllegalStateException("broken");
                }))
                .isEqualTo(Response.REFUSED);
        assertThat(response(() -> true)).as("the next check").isEqualTo(Response.ACCEPTED);
    }

    @Test
    void limitsQueuedChecks() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        CompletableFuture<Response> first = new CompletableFuture<>();
        CompletableFuture<Response> second = new CompletableFuture<>();
        executor.offer(() -> waits(busy, free), LOOP.loop(), first::complete);
        assertThat(busy.await(10, TimeUnit.SECONDS)).isTrue();

        assertThat(executor.offer(() -> true, LOOP.loop(), second::complete)).isTrue();
        assertThat(executor.waiting()).isEqualTo(1);
        assertThat(executor.offer(() -> true, LOOP.loop(), response -> {})).isFalse();

        free.countDown();
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(Response.ACCEPTED);
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(Response.ACCEPTED);
    }

    @Test
    void dropsChecksThatWaitedTooLong() throws Exception {
        try (VerificationExecutor hasty = new VerificationExecutor(1, 1, Duration.ZERO)) {
            CompletableFuture<Response> future = new CompletableFuture<>();
            hasty.offer(() -> true, LOOP.loop(), future::complete);

            assertThat(future.get(10, TimeUnit.SECONDS)).isEqualTo(Response.GIVEN_UP);
        }
    }

    private Response response(BooleanSupplier check) throws Exception {
        CompletableFuture<Response> future = new CompletableFuture<>();
        assertThat(executor.offer(check, LOOP.loop(), future::complete)).isTrue();
        return future.get(10, TimeUnit.SECONDS);
    }

    private static boolean waits(CountDownLatch busy, CountDownLatch free) {
        busy.countDown();
        try {
            return free.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
