package dev.postern.auth.spend.embedded;

/**
 * Spreads keys over slots by a secret of this process.
 *
 * <p>Keys are SHA-256 output already and spread by themselves; but a client chooses its nonces, and could search for such whose hashes
 * begin alike and pile them up in one place. Without the secret it can't know which do.
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
