package dev.postern.auth.voprf;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.TokenType;
import org.bouncycastle.math.ec.ECPoint;
import org.jspecify.annotations.Nullable;

/** Key of token type 1: a compressed point of P-384, 49 bytes (RFC 9578 section 5.5); with its secret where tokens are to be verified. */
final class VoprfKey extends IssuerKey {

    private final ECPoint element;
    private final @Nullable VoprfServerKey key;

    /** Reads the published form. */
    VoprfKey(TokenType type, byte[] encoded) {
        super(type, encoded);
        ECPoint read = P384.element(encoded);
        if (read == null) {
            throw new IllegalArgumentException("token-key: " + encoded.length
                    + " bytes, no element of the group (expected: a compressed point of P-384, 49 bytes)");
        }
        this.element = read;
        this.key = null;
    }

    VoprfKey(TokenType type, VoprfServerKey key) {
        super(type, P384.encode(key.element()));
        this.element = key.element();
        this.key = key;
    }

    ECPoint element() {
        return element;
    }

    @Nullable
    VoprfServerKey key() {
        return key;
    }

    @Override
    public boolean verifiable() {
        return key != null;
    }
}
