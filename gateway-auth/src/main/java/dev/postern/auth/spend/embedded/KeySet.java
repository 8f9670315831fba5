package dev.postern.auth.spend.embedded;

/**
 * Set of 16-byte keys in one array, with 16 bytes per slot and no other memory.
 *
 * <p>Open addressing with linear probing; removal shifts later keys back, so there are no tombstones (Knuth, TAOCP 6.4, algorithm R). Two
 * zero words are an empty slot; the key of two zero words is stored as the key (0, 1), which does not matter for halves of SHA-256. Not
 * thread-safe.
 */
final class KeySet {

    static final int FIRST_SLOTS = 16;

    private static final int WORDS = 2;

    private final KeyHash hash;
    private long[] words = new long[FIRST_SLOTS * WORDS];
    private int size;

    KeySet(KeyHash hash) {
        this.hash = hash;
    }

    int size() {
        return size;
    }

    /** Returns the size of the array in bytes. */
    long bytes() {
        return bytes(words.length / WORDS);
    }

    /** Returns the size of the array in bytes after {@link #grow}. */
    long bytesGrown() {
        return bytes() * 2;
    }

    static long bytes(int slots) {
        return (long) slots * WORDS * Long.BYTES;
    }

    /** Returns whether the set is at least three quarters full, so that it should grow. */
    boolean crowded() {
        return size >= slots() / 4 * 3;
    }

    /** Returns whether the set is at least 15/16 full, so that no key may be added: probing would take too long. */
    boolean full() {
        return size >= slots() / 16 * 15;
    }

    boolean contains(long high, long low) {
        return at(high, nonZero(high, low)) >= 0;
    }

    /** Adds a key that is not in the set. Expects a set that is not full. */
    void add(long high, long low) {
        long lowWord = nonZero(high, low);
        int slot = home(high, lowWord);
        while (!empty(slot)) {
            slot = next(slot);
        }
        put(slot, high, lowWord);
        size++;
    }

    /** Removes a key. Returns false when the key is not in the set. */
    boolean remove(long high, long low) {
        int hole = at(high, nonZero(high, low));
        if (hole < 0) {
            return false;
        }
        size--;
        for (int slot = next(hole); !empty(slot); slot = next(slot)) {
            // A key may move into the hole unless its home slot is behind the hole.
            int home = home(words[slot * WORDS], words[slot * WORDS + 1]);
            if (((slot - home) & mask()) >= ((slot - hole) & mask())) {
                put(hole, words[slot * WORDS], words[slot * WORDS + 1]);
                hole = slot;
            }
        }
        put(hole, 0, 0);
        return true;
    }

    /** Doubles the array. */
    void grow() {
        long[] old = words;
        words = new long[old.length * 2];
        size = 0;
        for (int i = 0; i < old.length; i += WORDS) {
            if (old[i] != 0 || old[i + 1] != 0) {
                add(old[i], old[i + 1]);
            }
        }
    }

    private int at(long high, long low) {
        for (int slot = home(high, low); !empty(slot); slot = next(slot)) {
            if (words[slot * WORDS] == high && words[slot * WORDS + 1] == low) {
                return slot;
            }
        }
        return -1;
    }

    private static long nonZero(long high, long low) {
        return high == 0 && low == 0 ? 1 : low;
    }

    private int home(long high, long low) {
        return (int) hash.of(high, low) & mask();
    }

    private int next(int slot) {
        return (slot + 1) & mask();
    }

    private boolean empty(int slot) {
        return words[slot * WORDS] == 0 && words[slot * WORDS + 1] == 0;
    }

    private void put(int slot, long high, long low) {
        words[slot * WORDS] = high;
        words[slot * WORDS + 1] = low;
    }

    private int slots() {
        return words.length / WORDS;
    }

    private int mask() {
        return slots() - 1;
    }
}
