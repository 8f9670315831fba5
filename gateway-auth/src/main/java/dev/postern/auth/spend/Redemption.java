package dev.postern.auth.spend;

import dev.postern.core.exchange.Slot;
import java.time.Instant;

/**
 * A verified token on its way to the ledger: what <i>verify</i> leaves on the exchange for <i>spend</i>.
 *
 * @param key what the ledger remembers, 16 bytes: the first half of SHA-256(key id | nonce) from decoded bytes, so that neither another
 *     spelling nor another signature makes a second token
 * @param acceptedUntil when neither the token key nor the challenge window can be accepted any more, skew included; until then the ledger
 *     must remember
 * @param epoch the {@link SpendLedger#epoch} under which the challenge was found good; FRESH only while it still holds. Empty: the one
 *     that holds when the spend begins
 */
public record Redemption(byte[] key, Instant acceptedUntil, byte[] epoch) {

    public static final int KEY_LENGTH = 16;

    public static final Slot<Redemption> SLOT = Slot.of("redemption");

    private static final byte[] NO_EPOCH = {};

    public Redemption {
        if (key.length != KEY_LENGTH) {
            throw new IllegalArgumentException("key: " + key.length + " bytes (expected: " + KEY_LENGTH + ")");
        }
    }

    /** A token whose challenge carries no epoch, or that is spent in the very pass in which its challenge was checked. */
    public Redemption(byte[] key, Instant acceptedUntil) {
        this(key, acceptedUntil, NO_EPOCH);
    }
}
