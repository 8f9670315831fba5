package dev.postern.core.exchange;

import dev.postern.core.config.Rate;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Credential of a client that may pass, without the identity of the client: 16 opaque bytes, and whether they were spent. A credential is
 * that of one request, or of a session, whose requests all have the same credential.
 *
 * <p>The bytes are a keyed hash: equal for the same token on every replica, useless without the key. Confined to the event loop of its
 * exchange.
 */
public final class Credential {

    public static final int LENGTH = 16;

    private final byte[] id;
    private final boolean lapsed;
    private final @Nullable Session session;
    private boolean openedTicket;
    private boolean spent;

    /**
     * Creates a credential that is not spent.
     *
     * @param id 16 bytes
     * @param lapsed whether the challenge window is over, so that only the ticket opened with this credential makes the credential
     * acceptable
     */
    public Credential(byte[] id, boolean lapsed) {
        this(id, lapsed, null);
    }

    private Credential(byte[] id, boolean lapsed, @Nullable Session session) {
        if (id.length != LENGTH) {
            throw new IllegalArgumentException("id: " + id.length + " bytes (expected: " + LENGTH + ")");
        }
        this.id = id.clone();
        this.lapsed = lapsed;
        this.session = session;
    }

    /** Creates the credential of a session, which is that of the token that bought the session. */
    public static Credential of(byte[] id, Session session) {
        return new Credential(id, false, session);
    }

    /**
     * Session of a credential.
     *
     * @param rate rate of all its requests together; null for the rate that applies where it is used
     */
    public record Session(@Nullable Rate rate) {}

    /** Returns the session of which this is the credential, or null. */
    public @Nullable Session session() {
        return session;
    }

    public byte[] id() {
        return id.clone();
    }

    /** Returns the id in lower-case hex, 32 characters: for keys in stores. */
    public String hex() {
        return HexFormat.of().formatHex(id);
    }

    /** Returns whether the credential may be spent: its window is open, or it opened the ticket that is being admitted. */
    public boolean acceptable() {
        return !lapsed || openedTicket;
    }

    /** Records that this credential opened the ticket that is being admitted. */
    public void markOpenedTicket() {
        openedTicket = true;
    }

    public boolean spent() {
        return spent;
    }

    public void markSpent() {
        spent = true;
    }

    @Override
    public String toString() {
        return "credential";
    }
}
