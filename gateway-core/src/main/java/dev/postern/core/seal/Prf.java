package dev.postern.core.seal;

import java.util.ArrayList;
import java.util.List;

/** A pseudo-random function (HMAC-SHA-256) under each secret of a ring; equal on all replicas. Thread-safe. */
public final class Prf {

    private final List<byte[]> keys;

    Prf(List<byte[]> keys) {
        this.keys = keys;
    }

    /** 32 bytes under the newest secret. */
    public byte[] of(byte[] message) {
        return Hkdf.hmac(keys.get(0), message);
    }

    /** 32 bytes under each secret, newest first: what may have been given out before the ring was rolled. */
    public List<byte[]> all(byte[] message) {
        List<byte[]> all = new ArrayList<>(keys.size());
        for (byte[] key : keys) {
            all.add(Hkdf.hmac(key, message));
        }
        return all;
    }

    /** How many secrets the ring has. */
    public int keys() {
        return keys.size();
    }
}
