package dev.postern.auth.verify;

import dev.postern.auth.token.Token;

/** Checks authenticators of one key. Not thread-safe: one for each thread and key. */
@FunctionalInterface
public interface SignatureCheck {

    /** Whether the authenticator speaks for the rest of the token; never throws, whatever the bytes are. */
    boolean accepts(Token token);
}
