package dev.postern.auth.spend.embedded;

/**
 * Hash of keys, seeded with a secret of this process.
 *
 * <p>Keys are SHA-256 output and already well distributed. But a client chooses its nonces, and could search for nonces whose hashes
 * collide in one slot. Without the secret a client cannot compute the slot.
 */
record KeyHash(long seed, long multiplier) {

    KeyHash {
        multiplier |= 1;
    }

    long of(long high, long low) {
        long mixed = (high ^ seed) * multiplier;
        mixed = (mixed ^ mixed >>> 29 ^ low) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 32) * multiplier;
        return mixed ^ mixed >>> 31;
    }
}
