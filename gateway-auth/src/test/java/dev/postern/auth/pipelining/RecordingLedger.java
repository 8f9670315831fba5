package dev.postern.auth.pipelining;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.pipelining.Step.Fate;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.testing.KeyDefaults;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Embedded ledger that responds after some delay, and returns UNKNOWN for some tokens. Thread-safe. */
final class RecordingLedger implements SpendLedger {

    private static final int LATER_MICROS = 700;

    private final SpendLedger real = SpendLedgers.open(
            KeyDefaults.of(LedgerSettings.class),
            new LedgerEnvironment(
                    "model", new SimpleMeterRegistry(), InstantSource.system(), Ticker.systemTicker(), List.of()));
    private final Function<Long, Pipeline> pipelines;

    RecordingLedger(Function<Long, Pipeline> pipelines) {
        this.pipelines = pipelines;
    }

    private record UnknownSpend() implements PendingSpend {

        @Override
        public SpendResult result() {
            return SpendResult.UNKNOWN;
        }

        @Override
        public boolean busy() {
            return false;
        }
    }

    /** Returns the token of a step. */
    static Redemption token(Step step) {
        return new Redemption(step.key(), Instant.now().plusSeconds(3600));
    }

    /** Spends the token of a step whose request has not arrived. */
    void spendBefore(Step step, EventLoop loop) {
        real.spend(token(step), loop, pendingSpend -> {});
    }

    @Override
    public void spend(Redemption redemption, EventLoop loop, SpendListener listener) {
        ByteBuffer key = ByteBuffer.wrap(redemption.key());
        Pipeline pipeline = pipelines.apply(key.getLong());
        Step step = pipeline.steps().get((int) key.getLong());
        pipeline.spending(step);
        Runnable now = () -> {
            if (step.fate() == Fate.UNKNOWN) {
                listener.responded(new UnknownSpend());
            } else {
                real.spend(redemption, loop, listener);
            }
        };
        if (step.slowLedger()) {
            loop.schedule(now, LATER_MICROS, TimeUnit.MICROSECONDS);
        } else {
            now.run();
        }
    }

    @Override
    public boolean knownSpent(byte[] key) {
        return real.knownSpent(key);
    }

    @Override
    public void refund(PendingSpend pendingSpend) {
        if (!(pendingSpend instanceof UnknownSpend)) {
            real.refund(pendingSpend);
        }
    }

    @Override
    public byte[] epoch() {
        return real.epoch();
    }

    @Override
    public LedgerHealth health() {
        return real.health();
    }

    @Override
    public void close() {
        real.close();
    }
}
