package dev.postern.auth.voprf;

import dev.postern.auth.issue.Issuance;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.issue.PendingToken;
import dev.postern.auth.issue.TokenRequest;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.SignatureCheck;
import dev.postern.auth.verify.SignatureProvider;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;
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

    /** Blinding of one evaluation, on the client's side: Blind and Finalize (RFC 9497 section 3.3.2, RFC 9578 section 5). */
    private static final class VoprfBlinding implements PendingToken {

        private final VoprfKey key;
        private final byte[] input;
        private final BigInteger blind;
        private final BlindedScalarMultiplier multiplier;
        private final ECPoint blinded;

        /**
         * @param input the part of the token that the authenticator covers
         * @param blind a random scalar that is used once
         */
        VoprfBlinding(VoprfKey key, byte[] input, BigInteger blind, BlindedScalarMultiplier multiplier) {
            this.key = key;
            this.input = input;
            this.blind = blind;
            this.multiplier = multiplier;
            this.blinded = multiplier.of(blind, Voprf.element(input));
        }

        @Override
        public TokenRequest request() {
            return new TokenRequest(key.type(), key.id().last(), P384.encode(blinded));
        }

        @Override
        public Token finish(byte[] response) {
            ECPoint evaluated = P384.element(Arrays.copyOf(response, P384.ELEMENT));
            Dleq proof = response.length == VoprfP384.RESPONSE
                    ? Dleq.decode(Arrays.copyOfRange(response, P384.ELEMENT, VoprfP384.RESPONSE))
                    : null;
            if (evaluated == null || proof == null) {
                throw new IllegalArgumentException("evaluation: " + response.length + " bytes (expected: "
                        + VoprfP384.RESPONSE + ", an element and a proof)");
            }
            if (!proof.proves(key.element(), blinded, evaluated)) {
                throw new IllegalArgumentException(
                        "evaluation: proof wrong (expected: made with the issuer's published key)");
            }
            ECPoint issued = multiplier.of(BigIntegers.modOddInverse(P384.ORDER, blind), evaluated);
            return Token.of(input, Voprf.finish(input, issued));
        }
    }
}
