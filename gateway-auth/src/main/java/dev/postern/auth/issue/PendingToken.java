package dev.postern.auth.issue;

import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import java.math.BigInteger;
import java.security.SecureRandom;
import org.bouncycastle.crypto.params.RSAKeyParameters;

/** A token that waits for its issuer's signature (RFC 9578 section 6): what to send, and how to make the token of the answer. */
final class PendingToken {

    private final byte[] signed;
    private final Blinding blinding;
    private final TokenRequest request;

    private PendingToken(RsaKey key, byte[] signed, Blinding blinding) {
        this.signed = signed;
        this.blinding = blinding;
        this.request = new TokenRequest(key.id().last(), blinding.blinded());
    }

    /** A token with a random nonce for that challenge. */
    static PendingToken of(RsaKey key, Bytes32 challengeDigest, SecureRandom random) {
        byte[] nonce = new byte[32];
        random.nextBytes(nonce);
        byte[] signed = Token.signedPart(TokenType.BLIND_RSA, nonce, challengeDigest, key.id());
        return new PendingToken(key, signed, Blinding.of(key.modulus(), key.exponent(), signed, random));
    }

    /** With nonce, salt and factor given, as test vectors do. */
    static PendingToken of(RsaKey key, Bytes32 challengeDigest, byte[] nonce, BigInteger factor, byte[] salt) {
        byte[] signed = Token.signedPart(TokenType.BLIND_RSA, nonce, challengeDigest, key.id());
        RSAKeyParameters rsa = new RSAKeyParameters(false, key.modulus(), key.exponent());
        return new PendingToken(key, signed, Blinding.of(rsa, signed, factor, salt));
    }

    TokenRequest request() {
        return request;
    }

    /** The finished token; throws {@link IllegalArgumentException} when the answer is no signature of the request. */
    Token finish(byte[] response) {
        return Token.of(signed, blinding.finish(response));
    }
}
