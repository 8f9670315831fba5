package dev.postern.auth.spend;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Creates redemptions with keys from a seed, valid for ten minutes. */
public final class TestRedemptions {

    private final RandomGenerator random;
    private final InstantSource clock;

    public TestRedemptions(long seed, InstantSource clock) {
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        this.clock = clock;
    }

    public Redemption next() {
        return next(Duration.ofMinutes(10));
    }

    public Redemption next(Duration lifetime) {
        return new Redemption(key(), clock.instant().plus(lifetime));
    }

    /** Creates a token whose challenge was issued in the ledger's current epoch. */
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
