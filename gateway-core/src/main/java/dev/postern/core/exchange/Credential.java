package dev.postern.core.exchange;

import java.util.HexFormat;

/**
 * Credential of a client that may pass, without the identity of the client: 16 opaque bytes, and whether they were spent.
 *
 * <p>The bytes are a keyed hash: equal for the same token on every replica, useless without the key. Confined to the event loop of its
 * exchange.
 */
public final class Credential {

    public static final int LENGTH = 16;

    private final byte[] id;
    private final boolean lapsed;
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
        if (id.length != LENGTH) {
            throw new IllegalArgumentException("id: " + id.length + " bytes (expected: " + LENGTH + ")");
        }
        this.id = id.clone();
        this.lapsed = lapsed;
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
