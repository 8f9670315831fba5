package dev.postern.core.crypto;

import java.util.ArrayList;
import java.util.List;
import javax.crypto.Mac;

/** Pseudo-random function (HMAC-SHA-256) under each secret of a ring; equal on all replicas. Thread-safe. */
public final class Prf {

    /** One instance per thread: creating and keying an instance takes longer than processing most messages. */
    private final List<ThreadLocal<Mac>> macs;

    Prf(List<byte[]> keys) {
        this.macs = keys.stream()
                .map(key -> ThreadLocal.withInitial(() -> Hkdf.mac(key)))
                .toList();
    }

    /** Returns 32 bytes under the newest secret. */
    public byte[] of(byte[] message) {
        return macs.get(0).get().doFinal(message);
    }

    /** Returns 32 bytes under each secret, the signing one first, so that values from before a rotation of the ring are recognised. */
    public List<byte[]> all(byte[] message) {
        List<byte[]> all = new ArrayList<>(macs.size());
        for (ThreadLocal<Mac> mac : macs) {
            all.add(mac.get().doFinal(message));
        }
        return all;
    }

    /** Returns the number of secrets in the ring. */
    public int keys() {
        return macs.size();
    }
}
