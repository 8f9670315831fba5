package dev.postern.ratelimit.queue;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Map of entries with an expiry, in the order of writing. Each step removes at most {@link RoomRules#PURGE} expired entries.
 *
 * @param <V> type of the values
 */
final class ExpiringMap<V> {

    private final Map<String, Entry<V>> entries = new LinkedHashMap<>();
    private final int max;

    /** @param max maximum number of entries; above it, the entry with the earliest expiry among the oldest ones is removed early */
    ExpiringMap(int max) {
        this.max = max;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    int size() {
        return entries.size();
    }

    void put(String key, V value, long deadline) {
        entries.remove(key); // so that the new entry is the last in the order
        if (entries.size() >= max) {
            dropNearestToItsEnd();
        }
        entries.put(key, new Entry<>(value, deadline));
    }

    /** Returns the value that is not expired at the given time, or null. */
    @Nullable
    V get(String key, long now) {
        Entry<V> entry = entries.get(key);
        return entry != null && entry.until > now ? entry.value : null;
    }

    void dropEnded(long now) {
        Iterator<Entry<V>> oldest = entries.values().iterator();
        for (int i = 0; i < RoomRules.PURGE && oldest.hasNext() && oldest.next().until <= now; i++) {
            oldest.remove();
        }
    }

    private void dropNearestToItsEnd() {
        Iterator<Map.Entry<String, Entry<V>>> oldest = entries.entrySet().iterator();
        String first = "";
        long end = Long.MAX_VALUE;
        for (int i = 0; i < RoomRules.PURGE && oldest.hasNext(); i++) {
            Map.Entry<String, Entry<V>> entry = oldest.next();
            if (entry.getValue().until < end) {
                first = entry.getKey();
                end = entry.getValue().until;
            }
        }
        entries.remove(first);
    }

    private record Entry<V>(V value, long until) {}
}
