package dev.postern.auth.verify;

import dev.postern.auth.token.Token;

/** Checks authenticators of one key. Not thread-safe unless {@link #costly}: one for each thread and key. */
@FunctionalInterface
public interface SignatureCheck {

    /** Whether the authenticator speaks for the rest of the token; never throws, whatever the bytes are. */
    boolean accepts(Token token);

    /** Whether it takes so long that it must not run on an event loop; then it is thread-safe. */
    default boolean costly() {
        return false;
    }
}
