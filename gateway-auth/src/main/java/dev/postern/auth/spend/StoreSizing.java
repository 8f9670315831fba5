package dev.postern.auth.spend;

/** Sizing of the stores: bytes per spend at the worst point while the store fills; measured by {@code load-tests/bench size}. */
public enum StoreSizing {
    /** memcached 1.6, slabs included, for one copy and a short namespace; a longer namespace takes more. */
    MEMCACHED(126),
    /** Redis 7, including its hash tables of keys and of expiries, which are half empty after they have grown. */
    REDIS(210),
    /** The embedded ledger: 16 bytes per slot, in sets that double when they are three quarters full. */
    EMBEDDED(44),
    /** The journal of the embedded ledger, on disk: 24 bytes per record. */
    JOURNAL(25);

    private final int bytes;

    StoreSizing(int bytes) {
        this.bytes = bytes;
    }

    public int bytes() {
        return bytes;
    }
}
