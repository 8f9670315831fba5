package dev.postern.auth.session;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that were opened lately: the files of a page come with one cookie, and opening it is a tenth of the work for a question of another
 * proxy. The text of a cookie has one slot, which the last opened session takes; only an opened session takes one, so that forged cookies
 * displace nothing. Thread-safe: what a slot holds is replaced, never changed, and its bytes are not to be changed by callers.
 */
final class OpenedSessions {

    /** A power of two. */
    static final int SLOTS = 1024;

    /**
     * Length of a host and of what describes a client, together, up to which a session is kept: far above that of browsers, and a client
     * chooses it. So all slots have less than a megabyte.
     */
    static final int LONGEST_BINDING = 512;

    private final @Nullable Opened[] slots = new Opened[SLOTS];

    /** Returns what the cookie holds, where it was opened with the same binding; otherwise null. */
    byte @Nullable [] find(String sealed, SessionBinding binding) {
        Opened opened = slots[slot(sealed)];
        // The comparison takes as long for any other text: time tells nothing about a cookie of another client.
        return opened != null
                        && MessageDigest.isEqual(opened.sealed, sealed.getBytes(ISO_8859_1))
                        && opened.binding.sameAs(binding)
                ? opened.plain
                : null;
    }

    /** Keeps a session that was opened, unless its binding is too long: then it is opened for each request. */
    void add(String sealed, SessionBinding binding, byte[] plain) {
        if (binding.host().length() + binding.client().length > LONGEST_BINDING) {
            return;
        }
        slots[slot(sealed)] = new Opened(sealed.getBytes(ISO_8859_1), binding, plain);
    }

    private static int slot(String sealed) {
        int hash = sealed.hashCode();
        return (hash ^ hash >>> Short.SIZE) & SLOTS - 1;
    }

    private record Opened(byte[] sealed, SessionBinding binding, byte[] plain) {}
}
