package dev.postern.auth.key;

import dev.postern.auth.token.TokenScheme;
import org.jspecify.annotations.Nullable;

/** How keys of a token type are written. */
public interface KeyFormat extends TokenScheme {

    /**
     * Reads the {@code token-key} of a directory or a challenge.
     *
     * @throws IllegalArgumentException saying what is wrong, if it is not a key that may be used
     */
    IssuerKey readKey(byte[] encoded);

    /**
     * Reads the content of a file with a secret key; the key that comes of it can check tokens.
     *
     * @return null when it is none of this type
     * @throws IllegalArgumentException saying what is wrong, never with a piece of the content
     */
    default @Nullable IssuerKey readSecret(byte[] content) {
        return null;
    }
}
