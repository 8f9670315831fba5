package dev.postern.auth.spend.embedded;

import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.core.metrics.Meters;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.micrometer.core.instrument.Counter;
import io.netty.channel.EventLoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Ledger in the memory of this process. The memory is limited; a full ledger returns UNKNOWN.
 *
 * <p>Without a journal, the ledger calls the listener before {@link #spend} returns, and the epoch is random per process, since a restart
 * loses all spends. With a journal, the ledger calls the listener once the spend would survive a loss of power, and the epoch lives as long
 * as the journal. Keys are grouped by the minute in which they may be forgotten, so the challenge windows of one gateway make only a few
 * sets. Thread-safe.
 */
public final class EmbeddedLedger implements SpendLedger {

    private static final int EPOCH_LENGTH = 16;
    private static final int SHARDS = 256;
    private static final long MINUTE = 60_000;
    private static final long SWEEP_EVERY = 1_000;
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final InstantSource clock;
    private final long deadlineNanos;
    private final byte[] epoch;
    private final KeyHash hash;
    private final MemoryLimit limit;
    private final Shard[] shards = new Shard[SHARDS];
    private final Counter refunded;
    private final AtomicLong lastSweep = new AtomicLong();
    private final EventLoopLocal<EventLoopDeadlines> loopDeadlines = new EventLoopLocal<>(EventLoopDeadlines::new);
    private final @Nullable Journal journal;

    private EmbeddedLedger(LedgerSettings settings, LedgerEnvironment environment, JournalStorage storage) {
        this.clock = environment.clock();
        this.deadlineNanos = settings.deadline().toNanos();
        SecureRandom random = new SecureRandom();
        hash = new KeyHash(random.nextLong(), random.nextLong());
        limit = new MemoryLimit(settings.embedded().maxMemory().bytes());
        for (int i = 0; i < SHARDS; i++) {
            shards[i] = new Shard(hash, limit);
        }
        refunded = Meters.LEDGER_EVENTS.counter(environment.registry(), "given-back");
        Path folder = settings.embedded().journal();
        journal = folder == null
                ? null
                : Journal.open(folder, environment.namespace(), clock, environment.ticker(), storage, this::remember);
        epoch = journal == null ? new byte[EPOCH_LENGTH] : journal.epoch();
        if (journal == null) {
            random.nextBytes(epoch);
        }
    }

    /** Opens the ledger and reads the journal, if configured. Throws {@link JournalException}. Not for event loops. */
    public static EmbeddedLedger open(LedgerSettings settings, LedgerEnvironment environment) {
        return open(settings, environment, JournalStorage.REAL);
    }

    static EmbeddedLedger open(LedgerSettings settings, LedgerEnvironment environment, JournalStorage storage) {
        return new EmbeddedLedger(settings, environment, storage);
    }

    /** Takes one record of the journal. */
    private void remember(long forgetAt, JournalFormat.Entry entry) {
        Shard shard = shard(entry.high(), entry.low());
        if (entry.kind() == JournalFormat.Kind.REFUNDED) {
            // Only from the set of this file: another file, which was read before, may hold a later spend.
            shard.remove(forgetAt, entry.high(), entry.low());
        } else if (shard.spend(entry.high(), entry.low(), forgetAt, clock.millis()) == SpendResult.UNKNOWN) {
            throw new IllegalStateException("privacy-pass.ledger.embedded.max-memory: " + limit.max()
                    + " bytes (expected: enough for what the journal holds)");
        }
    }

    @Override
    public void spend(Redemption redemption, EventLoop loop, SpendListener listener) {
        long now = clock.millis();
        SpendResult spendResult = journal == null || journal.enter() ? spendNow(redemption, now) : SpendResult.UNKNOWN;
        if (journal == null || spendResult != SpendResult.FRESH) {
            listener.responded(new Attempt(redemption.key(), spendResult));
            return;
        }
        EventLoopDeadlines deadlines = loopDeadlines.get(loop);
        byte[] key = redemption.key();
        long forgetAt = forgetAt(redemption.acceptedUntil().toEpochMilli(), now);
        JournaledSpend attempt =
                new JournaledSpend(key, forgetAt, deadlines, loop.ticker().nanoTime() + deadlineNanos, listener);
        deadlines.await(attempt);
        journal.add(forgetAt, high(key), low(key), attempt);
    }

    private SpendResult spendNow(Redemption redemption, long now) {
        long end = redemption.acceptedUntil().toEpochMilli();
        boolean otherEpoch = redemption.keyBegan() == null
                && redemption.epoch().length > 0
                && !Arrays.equals(redemption.epoch(), epoch);
        if (end <= now || otherEpoch) {
            // The ledger may have forgotten an expired token already, so the token must not be FRESH.
            return SpendResult.SPENT;
        }
        byte[] key = redemption.key();
        long forgetAt = forgetAt(end, now);
        SpendResult spendResult = shard(key).spend(high(key), low(key), forgetAt, now);
        if (spendResult == SpendResult.UNKNOWN && swept(now)) {
            return shard(key).spend(high(key), low(key), forgetAt, now);
        }
        return spendResult;
    }

    /**
     * Returns the time at which the key may be forgotten, rounded up so that there are few different times: to one minute, or to about 1/16
     * of the remaining time if this is more. Otherwise ends that count from the spend would create a set, and a file, for each minute.
     */
    static long forgetAt(long end, long now) {
        long minutes = Math.max((end - now) / MINUTE, 1);
        long step = MINUTE * Math.max(Long.highestOneBit(minutes) / 16, 1);
        return (end / step + 1) * step;
    }

    /** Removes expired keys from all shards, also from shards without recent calls; at most once a second. */
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
    public void refund(PendingSpend pendingSpend) {
        if (journal != null && pendingSpend instanceof JournaledSpend spend && spend.undo()) {
            // Into the journal first: the next spend of the token must come after the refund in the journal too.
            byte[] key = spend.key();
            journal.refund(spend.forgetAt(), high(key), low(key));
            remove(key);
        } else if (pendingSpend instanceof Attempt own && own.result == SpendResult.FRESH && !own.undone) {
            // Only a FRESH spend may remove its key, and only once: a later spend of the token is FRESH too.
            own.undone = true;
            remove(own.key);
        }
    }

    private void remove(byte[] key) {
        if (shard(key).remove(high(key), low(key))) {
            refunded.increment();
        }
    }

    @Override
    public byte[] epoch() {
        return epoch.clone();
    }

    @Override
    public LedgerHealth health() {
        boolean healthy = limit.used() < limit.max() / 10 * 9;
        String state = limit.used() / 1024 + " of " + limit.max() / 1024 + " KiB used";
        String trouble = journal == null ? null : journal.trouble();
        return trouble == null
                ? new LedgerHealth(healthy, Map.of("embedded", state))
                : new LedgerHealth(false, Map.of("embedded", state + ", " + trouble));
    }

    @Override
    public void close() {
        if (journal != null) {
            journal.close();
        }
    }

    /** Returns the number of spent tokens in the ledger. */
    long size() {
        long now = clock.millis();
        long size = 0;
        for (Shard shard : shards) {
            size += shard.size(now);
        }
        return size;
    }

    private Shard shard(byte[] key) {
        return shard(high(key), low(key));
    }

    private Shard shard(long high, long low) {
        // Uses the upper bits, since the lower bits select the slot within the shard.
        return shards[(int) (hash.of(high, low) >>> 56)];
    }

    private static long high(byte[] key) {
        return (long) WORD.get(key, 0);
    }

    private static long low(byte[] key) {
        return (long) WORD.get(key, Long.BYTES);
    }

    private static final class Attempt implements PendingSpend {

        private final byte[] key;
        private final SpendResult result;
        private boolean undone;

        Attempt(byte[] key, SpendResult result) {
            this.key = key;
            this.result = result;
        }

        @Override
        public SpendResult result() {
            return result;
        }

        @Override
        public boolean busy() {
            return result == SpendResult.UNKNOWN;
        }
    }
}
