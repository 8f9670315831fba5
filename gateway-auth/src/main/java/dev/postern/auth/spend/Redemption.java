package dev.postern.auth.spend;

import dev.postern.core.exchange.ExchangeKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Redemption of a verified token: the stage <i>verify</i> stores it on the exchange, the stage <i>spend</i> passes it to the ledger.
 *
 * @param key the ledger's key of the token, 16 bytes: the first half of SHA-256(key id | nonce) over decoded bytes, so that neither another
 *     encoding nor another signature makes a second token
 * @param acceptedUntil time from which the token key or the challenge window is no longer accepted, clock skew included; the ledger must
 *     remember the spend until then
 * @param epoch the {@link SpendLedger#epoch} under which the challenge was verified; the spend is FRESH only while this epoch is the
 *     current one. Empty: the epoch that is current when the spend begins
 * @param keyBegan null for challenges that carry the epoch. Otherwise the challenge has an empty context and only the token key limits its
 *     lifetime: the start of the key's validity, {@link Instant#EPOCH} when unknown. Unless {@link LedgerSettings.WhenForgotten#ACCEPT} is
 *     set, such a token is FRESH only if the store lost no memory since then; its epoch is {@link #NO_EPOCH}, which equals no real epoch
 */
public record Redemption(
        byte[] key,
        Instant acceptedUntil,
        byte[] epoch,
        @Nullable Instant keyBegan) {

    public static final int KEY_LENGTH = 16;

    public static final ExchangeKey<Redemption> KEY = ExchangeKey.of("redemption");

    private static final byte[] NO_EPOCH = {0};

    private static final byte[] PRESENT = {};

    public Redemption {
        if (key.length != KEY_LENGTH) {
            throw new IllegalArgumentException("key: " + key.length + " bytes (expected: " + KEY_LENGTH + ")");
        }
    }

    /** Creates the redemption of a token whose challenge carries no epoch, or is checked in the same event loop pass as the spend. */
    public Redemption(byte[] key, Instant acceptedUntil) {
        this(key, acceptedUntil, PRESENT);
    }

    /** Creates the redemption of a token whose challenge carries the given epoch. */
    public Redemption(byte[] key, Instant acceptedUntil, byte[] epoch) {
        this(key, acceptedUntil, epoch, null);
    }

    /** Returns the redemption of a token whose challenge has an empty context, under a key that is valid since {@code keyBegan}. */
    public static Redemption endless(byte[] key, Instant acceptedUntil, Instant keyBegan) {
        return new Redemption(key, acceptedUntil, NO_EPOCH, keyBegan);
    }

    /** Returns the redemption of the same token, issued in the given epoch. */
    public Redemption in(byte[] tokenEpoch) {
        return new Redemption(key, acceptedUntil, tokenEpoch, keyBegan);
    }
}
