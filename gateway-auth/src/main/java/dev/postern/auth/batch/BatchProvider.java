package dev.postern.auth.batch;

import dev.postern.auth.verify.CryptoProvider;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Provider of batch verifiers, where this machine has a library for them: crypto_mb, or none, and then signatures are verified one by one.
 * Immutable and thread-safe.
 */
public final class BatchProvider {

    /** Names of {@link #description()}. */
    public static final String LIBRARY = "crypto_mb";

    public static final String NONE = "none";

    private final CryptoProvider description;
    private final @Nullable Supplier<RsaLanes> lanes;

    private BatchProvider(CryptoProvider description, @Nullable Supplier<RsaLanes> lanes) {
        this.description = description;
        this.lanes = lanes;
    }

    /** Returns the library if it loads and passes the self-test, else none with the reason. */
    public static BatchProvider choose() {
        try {
            CryptoMb library = CryptoMb.load();
            return of(library.name(), library::lanes);
        } catch (IllegalStateException e) {
            return none(String.valueOf(e.getMessage()));
        }
    }

    /** Returns a provider without lanes. */
    public static BatchProvider none(String why) {
        return new BatchProvider(new CryptoProvider(NONE, why, 0), null);
    }

    /**
     * Returns the provider with these lanes, tested.
     *
     * @param origin name of the file that they are from
     * @throws IllegalStateException stating why they cannot be used
     */
    static BatchProvider of(String origin, Supplier<RsaLanes> lanes) {
        double perSecond = BatchSelfTest.run(lanes.get());
        return new BatchProvider(new CryptoProvider(LIBRARY, origin + " passes the self-test", perSecond), lanes);
    }

    public CryptoProvider description() {
        return description;
    }

    public boolean available() {
        return lanes != null;
    }

    /** Returns a verifier for one event loop; only when {@link #available}. */
    public BatchVerifier verifier() {
        Supplier<RsaLanes> available = lanes;
        if (available == null) {
            throw new IllegalStateException("batches: none (expected: a library)");
        }
        return new BatchVerifier(available.get());
    }
}
