package dev.postern.ratelimit.queue;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered for a while: entries in the order in which they were written, each good until an instant.
 * {@link RoomRules#PURGE} ended ones are cleared away at each step.
 *
 * @param <V> what is remembered
 */
final class ExpiringMap<V> {

    private final Map<String, Entry<V>> entries = new LinkedHashMap<>();
    private final int most;

    /** @param most entries at most; beyond it one of the oldest is forgotten early: the one that would be first anyway */
    ExpiringMap(int most) {
        this.most = most;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    int size() {
        return entries.size();
    }

    void put(String key, V value, long deadline) {
        entries.remove(key); // written anew: goes to the end of the order
        if (entries.size() >= most) {
            dropNearestToItsEnd();
        }
        entries.put(key, new Entry<>(value, deadline));
    }

    /** What is remembered at that instant, or null. */
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
