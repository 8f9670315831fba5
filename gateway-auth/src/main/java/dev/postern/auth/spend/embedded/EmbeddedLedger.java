package dev.postern.auth.spend.embedded;

import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.Spend;
import dev.postern.auth.spend.SpendAttempt;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendListener;
import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ledger in this process' own memory: bounded, refuses when full, and answers before {@link #spend} returns.
 *
 * <p>Its epoch is random per process, since a restart forgets everything. Keys are kept by the minute in which they may be forgotten, so
 * the challenge windows of one gateway make a handful of sets. Thread-safe.
 */
public final class EmbeddedLedger implements SpendLedger {

    private static final int SHARDS = 256;
    private static final long MINUTE = 60_000;
    private static final long SWEEP_EVERY = 1_000;
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final InstantSource clock;
    private final byte[] epoch = new byte[16];
    private final KeyHash hash;
    private final Budget budget;
    private final Shard[] shards = new Shard[SHARDS];
    private final Counter givenBack;
    private final AtomicLong lastSweep = new AtomicLong();

    public EmbeddedLedger(LedgerSettings.Embedded settings, MeterRegistry registry, InstantSource clock) {
        this.clock = clock;
        SecureRandom random = new SecureRandom();
        random.nextBytes(epoch);
        hash = new KeyHash(random.nextLong(), random.nextLong());
        budget = new Budget(settings.maxMemory());
        for (int i = 0; i < SHARDS; i++) {
            shards[i] = new Shard(hash, budget);
        }
        givenBack = Meters.LEDGER_EVENTS.counter(registry, "given-back");
    }

    @Override
    public void spend(Redemption redemption, EventLoop loop, SpendListener listener) {
        listener.answered(new Attempt(redemption.key(), spendNow(redemption)));
    }

    private Spend spendNow(Redemption redemption) {
        long now = clock.millis();
        long until = redemption.acceptedUntil().toEpochMilli();
        boolean otherEpoch = redemption.keyBegan() == null
                && redemption.epoch().length > 0
                && !Arrays.equals(redemption.epoch(), epoch);
        if (until <= now || otherEpoch) {
            // What can't be accepted any more may be forgotten already, so nobody could say that it is fresh.
            return Spend.SPENT;
        }
        byte[] key = redemption.key();
        long forgetAt = (until / MINUTE + 1) * MINUTE;
        Spend spend = shard(key).spend(high(key), low(key), forgetAt, now);
        if (spend == Spend.UNKNOWN && swept(now)) {
            return shard(key).spend(high(key), low(key), forgetAt, now);
        }
        return spend;
    }

    /** Makes all shards forget what is over, also those that nobody asked since; at most once a second. */
    private boolean swept(long now) {
        long last = lastSweep.get();
        if (now - last < SWEEP_EVERY || !lastSweep.compareAndSet(last, now)) {
            return false;
        }
        for (Shard shard : shards) {
            shard.size(now);
        }
        return true;
    }

    @Override
    public boolean knownSpent(byte[] key) {
        return shard(key).contains(high(key), low(key), clock.millis());
    }

    @Override
    public void giveBack(SpendAttempt attempt) {
        Attempt own = (Attempt) attempt;
        if (own.result == Spend.FRESH && !own.undone) {
            // Only a winner takes its key away, and only once: whoever spends it afterwards is another winner.
            own.undone = true;
            if (shard(own.key).remove(high(own.key), low(own.key))) {
                givenBack.increment();
            }
        }
    }

    @Override
    public byte[] epoch() {
        return epoch.clone();
    }

    @Override
    public LedgerHealth health() {
        boolean healthy = budget.used() < budget.most() / 10 * 9;
        String state = budget.used() / 1024 + " of " + budget.most() / 1024 + " KiB used";
        return new LedgerHealth(healthy, Map.of("embedded", state));
    }

    @Override
    public void close() {}

    /** Tokens that are remembered now. */
    long size() {
        long now = clock.millis();
        long size = 0;
        for (Shard shard : shards) {
            size += shard.size(now);
        }
        return size;
    }

    private Shard shard(byte[] key) {
        // The upper bits: the lower ones choose the slot within the shard.
        return shards[(int) (hash.of(high(key), low(key)) >>> 56)];
    }

    private static long high(byte[] key) {
        return (long) WORD.get(key, 0);
    }

    private static long low(byte[] key) {
        return (long) WORD.get(key, Long.BYTES);
    }

    private static final class Attempt implements SpendAttempt {

        private final byte[] key;
        private final Spend result;
        private boolean undone;

        Attempt(byte[] key, Spend result) {
            this.key = key;
            this.result = result;
        }

        @Override
        public Spend result() {
            return result;
        }

        @Override
        public boolean busy() {
            return result == Spend.UNKNOWN;
        }
    }
}
