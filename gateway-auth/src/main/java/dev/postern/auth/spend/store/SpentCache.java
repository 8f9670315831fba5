package dev.postern.auth.spend.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Duration;

/**
 * Cache of keys that a store reported as spent, so that a replayed token costs neither a signature check nor a round trip. Entries live
 * 10 s, since another gateway may refund a token. Thread-safe.
 */
public final class SpentCache {

    private static final int MAX = 100_000;
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final Cache<Key, Boolean> keys = Caffeine.newBuilder()
            .maximumSize(MAX)
            .expireAfterWrite(TIME)
            .executor(Runnable::run)
            .recordStats()
            .build();

    /** Registers meters of the size and the hit rate. */
    public SpentCache bind(MeterRegistry registry) {
        new CaffeineCacheMetrics<>(keys, "spends-known", Tags.empty()).bindTo(registry);
        return this;
    }

    public boolean contains(byte[] key) {
        return keys.getIfPresent(Key.of(key)) != null;
    }

    public void add(byte[] key) {
        keys.put(Key.of(key), Boolean.TRUE);
    }

    public void forget(byte[] key) {
        keys.invalidate(Key.of(key));
    }

    private record Key(long high, long low) {

        static Key of(byte[] key) {
            return new Key((long) WORD.get(key, 0), (long) WORD.get(key, Long.BYTES));
        }
    }
}
