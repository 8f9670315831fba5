package dev.postern.auth.verify;

import dev.postern.auth.token.Token;

/** Check of authenticators of one key. Not thread-safe unless {@link #costly}: one for each thread and key. */
@FunctionalInterface
public interface SignatureCheck {

    /** Returns whether the authenticator is valid for the token; never throws, whatever the bytes are. */
    boolean accepts(Token token);

    /** Returns whether the check is too slow for an event loop; such a check is thread-safe. */
    default boolean costly() {
        return false;
    }
}
