package dev.postern.auth.voprf;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.SignatureCheck;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECPoint;
import org.jspecify.annotations.Nullable;

/**
 * Server key of token type 1, which is secret: evaluates blinded elements for an issuer, and whole inputs for a gateway (RFC 9497 section
 * 3.3.2). Thread-safe; about half a millisecond for each evaluation.
 */
final class VoprfServerKey implements IssuingKey, SignatureCheck {

    private static final String PREFIX = "voprf-p384:";

    private final TokenType type;
    private final BigInteger scalar;
    private final ECPoint element;
    private final SecureRandom random = new SecureRandom();
    private final BlindedScalarMultiplier multiplier = new BlindedScalarMultiplier(random);

    VoprfServerKey(TokenType type, BigInteger scalar) {
        this.type = type;
        this.scalar = scalar;
        this.element = multiplier.of(scalar, P384.GENERATOR);
    }

    static VoprfServerKey generate(TokenType type) {
        return new VoprfServerKey(type, P384.randomScalar(new SecureRandom()));
    }

    /** Reads the output of {@link #secretFile}; null for other content, {@link IllegalArgumentException} for a malformed key. */
    static @Nullable VoprfServerKey read(TokenType type, byte[] content) {
        String text = new String(content, ISO_8859_1).strip();
        if (!text.startsWith(PREFIX)) {
            return null;
        }
        byte[] bytes = Base64Url.decode(text.substring(PREFIX.length()));
        BigInteger scalar = bytes == null ? null : P384.scalar(bytes);
        if (scalar == null || scalar.signum() == 0) {
            throw new IllegalArgumentException("private key: " + content.length + " bytes (expected: " + PREFIX
                    + " and 48 bytes in base64url, a scalar of P-384 other than 0)");
        }
        return new VoprfServerKey(type, scalar);
    }

    BigInteger scalar() {
        return scalar;
    }

    /** Returns the public key: the scalar times the generator. */
    ECPoint element() {
        return element;
    }

    @Override
    public IssuerKey published() {
        return new VoprfKey(type, this);
    }

    @Override
    public String secretFile() {
        return PREFIX + Base64Url.encode(P384.encode(scalar)) + "\n";
    }

    /**
     * Returns the evaluated element and its proof, 145 bytes (RFC 9578 section 5.2). The proof is verified as a client does: the proof
     * covers the element, so the result of a faulty computation is never returned.
     */
    @Override
    public byte @Nullable [] sign(byte[] blinded) {
        ECPoint point = P384.element(blinded);
        if (point == null) {
            return null;
        }
        ECPoint evaluated = multiplier.of(scalar, point);
        Dleq proof = Dleq.prove(this, point, evaluated, random);
        if (!proof.proves(element, point, evaluated)) {
            throw new IllegalStateException(
                    "blind evaluation: wrong (expected: its own proof); the computation is faulty");
        }
        byte[] response = Arrays.copyOf(P384.encode(evaluated), VoprfP384.RESPONSE);
        System.arraycopy(proof.encode(), 0, response, P384.ELEMENT, Dleq.LENGTH);
        return response;
    }

    /** Computes Evaluate and compares in constant time: the time must not show how much of a guess was right. */
    @Override
    public boolean accepts(Token token) {
        byte[] bytes = token.bytes();
        if (bytes.length != type.tokenLength()) {
            return false;
        }
        byte[] input = Arrays.copyOf(bytes, type.signedLength());
        ECPoint point = Voprf.element(input);
        if (point.isInfinity()) {
            return false;
        }
        byte[] expected = Voprf.finish(input, multiplier.of(scalar, point));
        return MessageDigest.isEqual(expected, Arrays.copyOfRange(bytes, input.length, bytes.length));
    }

    @Override
    public boolean costly() {
        return true;
    }

    /** Returns only the token type, never the secret. */
    @Override
    public String toString() {
        return "secret of " + type.label();
    }
}
