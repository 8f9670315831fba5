package dev.postern.core.authorize;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.crypto.SealedBox;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Seal of refusals that another proxy carries from one exchange to the next; opaque, and good for {@link #LIFETIME}. Thread-safe. */
public final class RefusalSeal {

    static final Duration LIFETIME = Duration.ofSeconds(60);

    private static final byte[] USE = "postern-refusal".getBytes(US_ASCII);

    private final Supplier<KeyRing> ring;
    private final InstantSource clock;
    private volatile @Nullable Box box;

    /** @param ring that all replicas share: any of them may be asked to render */
    public RefusalSeal(Supplier<KeyRing> ring, InstantSource clock) {
        this.ring = ring;
        this.clock = clock;
    }

    /** Box of a ring, kept while the ring is in force. */
    private record Box(KeyRing ring, SealedBox sealed) {}

    /** Returns fewer than 2,048 characters of base64url. */
    String seal(SealedRefusal refusal) {
        byte[] plain = refusal.bytes();
        byte[] dated = ByteBuffer.allocate(Long.BYTES + plain.length)
                .putLong(clock.millis())
                .put(plain)
                .array();
        return box().seal(dated, USE);
    }

    /** Returns the refusal, or null for a text that no replica has sealed within the lifetime. */
    @Nullable
    SealedRefusal open(String text) {
        byte[] dated = box().open(text, USE);
        if (dated == null || dated.length < Long.BYTES) {
            return null;
        }
        // A clock of another replica may be ahead by as much as a refusal lives.
        long age = clock.millis() - ByteBuffer.wrap(dated).getLong();
        if (Math.abs(age) > LIFETIME.toMillis()) {
            return null;
        }
        try {
            return SealedRefusal.read(Arrays.copyOfRange(dated, Long.BYTES, dated.length));
        } catch (IOException ofAnotherVersion) {
            return null;
        }
    }

    @SuppressWarnings("ReferenceEquality") // another ring is another object
    private SealedBox box() {
        KeyRing current = ring.get();
        Box known = box;
        if (known == null || known.ring != current) {
            known = new Box(current, current.seal("refusal"));
            box = known;
        }
        return known.sealed;
    }
}
