package dev.postern.auth.batch;

import dev.postern.auth.key.RsaKey;

/**
 * RSA public operation on up to {@link #COUNT} signatures at once: each has a lane with its own modulus. Not thread-safe: one for each
 * event loop.
 */
interface RsaLanes {

    /** Number of lanes. */
    int COUNT = 8;

    /** Fills a lane with the signature {@code bytes[offset, offset + 256)}, which must be below the modulus of its key. */
    void fill(int lane, RsaKey key, byte[] bytes, int offset);

    /** Empties a lane: its result is not computed. */
    void empty(int lane);

    /** Computes {@code s^65537 mod n} in all filled lanes. Returns the set of lanes that have a result, a bit for each. */
    int compute();

    /** Copies the result of a lane, 256 bytes in network order. */
    void result(int lane, byte[] target);
}
