package dev.postern.auth.voprf;

import dev.postern.auth.issue.Issuance;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.issue.PendingToken;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.SignatureCheck;
import dev.postern.auth.verify.SignatureProvider;
import java.math.BigInteger;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** VOPRF (P-384, SHA-384), token type 1: privately verifiable, with the issuer's secret key (RFC 9578 section 5). */
public final class VoprfP384 implements Issuance {

    static final TokenType TYPE = new TokenType(0x0001, "voprf-p384", 32, 48);

    /** Bytes of an issuer's response: evaluated element and proof. */
    static final int RESPONSE = P384.ELEMENT + Dleq.LENGTH;

    @Override
    public TokenType type() {
        return TYPE;
    }

    @Override
    public IssuerKey readKey(byte[] encoded) {
        return new VoprfKey(TYPE, encoded);
    }

    @Override
    public @Nullable IssuerKey readSecret(byte[] content) {
        VoprfServerKey serverKey = VoprfServerKey.read(TYPE, content);
        return serverKey == null ? null : serverKey.published();
    }

    @Override
    public SignatureCheck check(IssuerKey key, SignatureProvider provider) {
        VoprfServerKey serverKey = ((VoprfKey) key).key();
        if (serverKey == null) {
            throw new IllegalArgumentException("key: " + key + " (expected: one whose secret is known)");
        }
        return serverKey;
    }

    @Override
    public int blindedLength() {
        return P384.ELEMENT;
    }

    @Override
    public PendingToken begin(IssuerKey key, Bytes32 challengeDigest, SecureRandom random) {
        byte[] nonce = new byte[32];
        random.nextBytes(nonce);
        return begin(key, challengeDigest, nonce, P384.randomScalar(random), random);
    }

    /** Creates a pending token with the nonce and blind of a test vector. */
    PendingToken begin(IssuerKey key, Bytes32 challengeDigest, byte[] nonce, BigInteger blind, SecureRandom random) {
        byte[] input = Token.signedPart(TYPE, nonce, challengeDigest, key.id());
        return new VoprfBlinding((VoprfKey) key, input, blind, new BlindedScalarMultiplier(random));
    }

    @Override
    public IssuingKey generate() {
        return VoprfServerKey.generate(TYPE);
    }
}
