package dev.postern.core.crypto;

import java.util.ArrayList;
import java.util.List;
import javax.crypto.Mac;

/** A pseudo-random function (HMAC-SHA-256) under each secret of a ring; equal on all replicas. Thread-safe. */
public final class Prf {

    /** Each thread's own: to find and key one takes longer than most messages do. */
    private final List<ThreadLocal<Mac>> macs;

    Prf(List<byte[]> keys) {
        this.macs = keys.stream()
                .map(key -> ThreadLocal.withInitial(() -> Hkdf.mac(key)))
                .toList();
    }

    /** 32 bytes under the newest secret. */
    public byte[] of(byte[] message) {
        return macs.get(0).get().doFinal(message);
    }

    /** 32 bytes under each secret, newest first: what may have been given out before the ring was rolled. */
    public List<byte[]> all(byte[] message) {
        List<byte[]> all = new ArrayList<>(macs.size());
        for (ThreadLocal<Mac> mac : macs) {
            all.add(mac.get().doFinal(message));
        }
        return all;
    }

    /** How many secrets the ring has. */
    public int keys() {
        return macs.size();
    }
}
