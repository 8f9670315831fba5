package dev.postern.core.exchange;

import java.util.HexFormat;

/**
 * What the gateway knows of who may pass, without knowing who it is: 16 opaque bytes, and whether they were spent.
 *
 * <p>The bytes are a keyed hash: equal for the same token on every replica, useless to anybody else. Confined to the event loop of its
 * exchange.
 */
public final class Credential {

    public static final int LENGTH = 16;

    private final byte[] id;
    private final boolean lapsed;
    private boolean vouched;
    private boolean spent;

    /**
     * @param id 16 bytes
     * @param lapsed whether its challenge window is over, so that only the ticket that it opened may still vouch for it
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

    /** The same in lower-case hex, 32 characters: for keys in stores. */
    public String hex() {
        return HexFormat.of().formatHex(id);
    }

    /** Whether it may be spent: its window is open, or the ticket it opened vouches for it. */
    public boolean acceptable() {
        return !lapsed || vouched;
    }

    /** Says that this credential opened the ticket that is now being let in. */
    public void vouch() {
        vouched = true;
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
