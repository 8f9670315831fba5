package dev.postern.auth.spend;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.ProcessPause;
import dev.postern.core.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs four event loops that spend tokens as connections do. Register it as a static field. */
public final class SpendEventLoops implements BeforeAllCallback, AfterAllCallback {

    private static final int COUNT = 4;

    private final List<EventLoop> loops = new ArrayList<>();
    private final AtomicInteger nextIndex = new AtomicInteger();

    @Override
    public void beforeAll(ExtensionContext context) {
        // New event loops for each class: the subclasses of a suite share the field.
        EventLoopGroup group = Transport.open(Transport.Kind.AUTO).eventLoops(COUNT);
        loops.clear();
        for (int i = 0; i < COUNT; i++) {
            loops.add(group.next());
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        loops.get(0).parent().shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    public List<EventLoop> all() {
        return List.copyOf(loops);
    }

    /** Returns the environment of a ledger that spends on all loops. */
    LedgerEnvironment environment(
            String namespace, MeterRegistry meters, InstantSource clock, @Nullable RedisSettings redis) {
        return redis == null
                ? new LedgerEnvironment(namespace, meters, clock, Ticker.systemTicker(), all())
                : new LedgerEnvironment(namespace, meters, clock, Ticker.systemTicker(), all(), redis);
    }

    public EventLoop next() {
        return loops.get(Math.floorMod(nextIndex.getAndIncrement(), COUNT));
    }

    /** Begins a spend on one of the loops. Completes exceptionally when the result arrives on another thread, or twice. */
    public CompletableFuture<PendingSpend> begin(SpendLedger ledger, Redemption redemption) {
        return begin(ledger, redemption, next());
    }

    /** Begins a spend on that loop, as {@link #begin(SpendLedger, Redemption)}. */
    public CompletableFuture<PendingSpend> begin(SpendLedger ledger, Redemption redemption, EventLoop loop) {
        CompletableFuture<PendingSpend> response = new CompletableFuture<>();
        loop.execute(() -> ledger.spend(redemption, loop, pendingSpend -> {
            if (!loop.inEventLoop()) {
                response.completeExceptionally(new AssertionError("result on another thread than the event loop's"));
            } else if (!response.complete(pendingSpend)) {
                response.obtrudeException(new AssertionError("second result"));
            }
        }));
        return response;
    }

    /**
     * Spends continuously while this process is paused for some seconds, and for a while afterwards.
     *
     * @param ledger with a longer deadline than the pause
     * @return the number of spends with each result
     */
    public Map<SpendResult, Long> spendDuringPause(SpendLedger ledger, TestRedemptions tokens) {
        Map<SpendResult, Long> responses = new EnumMap<>(SpendResult.class);
        Process pause = ProcessPause.begin(Duration.ofMillis(3_500));
        for (int rounds = 0; rounds < 40; rounds += pause.isAlive() ? 0 : 1) {
            Stream.generate(() -> begin(ledger, tokens.next()))
                    .limit(64)
                    .toList()
                    .forEach(one -> responses.merge(await(one).result(), 1L, Long::sum));
        }
        return responses;
    }

    /** Spends and waits for the result. */
    public PendingSpend attempt(SpendLedger ledger, Redemption redemption) {
        return await(begin(ledger, redemption));
    }

    public SpendResult spend(SpendLedger ledger, Redemption redemption) {
        return attempt(ledger, redemption).result();
    }

    public void refund(SpendLedger ledger, PendingSpend pendingSpend) {
        await(CompletableFuture.runAsync(() -> ledger.refund(pendingSpend), next()));
    }

    /** Waits a minute: much longer than any deadline here, so that only a missing result fails. */
    public static <T> T await(CompletableFuture<T> response) {
        return response.orTimeout(60, TimeUnit.SECONDS).join();
    }
}
