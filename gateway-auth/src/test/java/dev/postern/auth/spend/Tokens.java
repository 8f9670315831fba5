package dev.postern.auth.spend;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Redemptions with keys from a seed, good for ten minutes. */
public final class Tokens {

    private final RandomGenerator random;
    private final InstantSource clock;

    public Tokens(long seed, InstantSource clock) {
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        this.clock = clock;
    }

    public Redemption next() {
        return next(Duration.ofMinutes(10));
    }

    public Redemption next(Duration life) {
        return new Redemption(key(), clock.instant().plus(life));
    }

    /** A token whose challenge was issued under the ledger's epoch of this moment. */
    public Redemption issuedBy(SpendLedger ledger) {
        Instant end = clock.instant().plus(Duration.ofMinutes(10));
        return new Redemption(key(), end, ledger.epoch());
    }

    public byte[] key() {
        byte[] key = new byte[Redemption.KEY_LENGTH];
        random.nextBytes(key);
        return key;
    }
}
