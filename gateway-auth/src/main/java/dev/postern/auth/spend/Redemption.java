package dev.postern.auth.spend;

import dev.postern.core.exchange.ExchangeKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A verified token on its way to the ledger: what <i>verify</i> leaves on the exchange for <i>spend</i>.
 *
 * @param key what the ledger remembers, 16 bytes: the first half of SHA-256(key id | nonce) from decoded bytes, so that neither another
 *     spelling nor another signature makes a second token
 * @param acceptedUntil when neither the token key nor the challenge window can be accepted any more, skew included; until then the ledger
 *     must remember
 * @param epoch the {@link SpendLedger#epoch} under which the challenge was found good; FRESH only while it still holds. Empty: the one
 *     that holds when the spend begins
 * @param keyBegan null for challenges that carry the epoch. Else the challenge has an empty context, so that nothing but the key ends it:
 *     since when the key is good, {@link Instant#EPOCH} when nobody said. Unless a loss of memory is to be accepted, such a token is FRESH
 *     only where the store lost none since then; its epoch is {@link #NO_EPOCH}, which equals no real one
 */
public record Redemption(
        byte[] key,
        Instant acceptedUntil,
        byte[] epoch,
        @Nullable Instant keyBegan) {

    public static final int KEY_LENGTH = 16;

    public static final ExchangeKey<Redemption> SLOT = ExchangeKey.of("redemption");

    private static final byte[] NO_EPOCH = {0};

    private static final byte[] PRESENT = {};

    public Redemption {
        if (key.length != KEY_LENGTH) {
            throw new IllegalArgumentException("key: " + key.length + " bytes (expected: " + KEY_LENGTH + ")");
        }
    }

    /** A token whose challenge carries no epoch, or that is spent in the very pass in which its challenge was checked. */
    public Redemption(byte[] key, Instant acceptedUntil) {
        this(key, acceptedUntil, PRESENT);
    }

    /** A token whose challenge carries that epoch. */
    public Redemption(byte[] key, Instant acceptedUntil, byte[] epoch) {
        this(key, acceptedUntil, epoch, null);
    }

    /** A token whose challenge has an empty context, under a key that is good since then. */
    public static Redemption endless(byte[] key, Instant acceptedUntil, Instant keyBegan) {
        return new Redemption(key, acceptedUntil, NO_EPOCH, keyBegan);
    }

    /** The same token, issued in that epoch. */
    public Redemption in(byte[] its) {
        return new Redemption(key, acceptedUntil, its, keyBegan);
    }
}
