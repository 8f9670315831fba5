package dev.postern.auth.key;

import dev.postern.auth.token.TokenScheme;
import org.jspecify.annotations.Nullable;

/** Format of the keys of a token type. */
public interface KeyFormat extends TokenScheme {

    /**
     * Reads the {@code token-key} of a directory or a challenge.
     *
     * @throws IllegalArgumentException stating what is wrong, if the key is invalid
     */
    IssuerKey readKey(byte[] encoded);

    /**
     * Reads the {@code token-key} of a directory; also accepts forms that only directories use.
     *
     * @throws IllegalArgumentException stating what is wrong, if the key is invalid
     */
    default IssuerKey readListedKey(byte[] encoded) {
        return readKey(encoded);
    }

    /**
     * Reads the content of a file with a secret key. Returns a key that can verify tokens.
     *
     * @return null when the content is not of this type
     * @throws IllegalArgumentException stating what is wrong, never with a part of the content
     */
    default @Nullable IssuerKey readSecret(byte[] content) {
        return null;
    }
}
