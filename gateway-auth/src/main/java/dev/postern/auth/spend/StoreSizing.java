package dev.postern.auth.spend;

/** What one spend takes in each store, at its worst while the store fills; measured by {@code load-tests/bench size}. */
public enum StoreSizing {
    /** memcached 1.6, slabs included, of one copy; a namespace of more than a few letters takes more. */
    MEMCACHED(126),
    /** Redis 7, its tables of keys and of expiries included, which are half empty when they have grown. */
    REDIS(210),
    /** This process: 16 bytes a slot, in sets that double when they are three quarters full. */
    EMBEDDED(44),
    /** The embedded ledger's journal, on disk: 24 bytes a record. */
    JOURNAL(25);

    private final int bytes;

    StoreSizing(int bytes) {
        this.bytes = bytes;
    }

    public int bytes() {
        return bytes;
    }
}
