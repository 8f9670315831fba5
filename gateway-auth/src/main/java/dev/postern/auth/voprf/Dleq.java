package dev.postern.auth.voprf;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECPoint;
import org.jspecify.annotations.Nullable;

/**
 * DLEQ proof that the same secret scalar made the public key and an evaluated element (RFC 9497 section 2.2), so that no issuer can
 * distinguish clients by a separate key for each. One proof for each element.
 *
 * @param c the challenge
 * @param s the response to the challenge
 */
record Dleq(BigInteger c, BigInteger s) {

    /** Bytes of a proof. */
    static final int LENGTH = 2 * P384.SCALAR;

    /** Composite that both sides compute of key and elements. */
    private record Composite(ECPoint blinded, ECPoint evaluated) {}

    /** Computes GenerateProof for {@code evaluated = secret * blinded}. */
    static Dleq prove(VoprfServerKey serverKey, ECPoint blinded, ECPoint evaluated, SecureRandom random) {
        return prove(serverKey, blinded, evaluated, P384.randomScalar(random), new BlindedScalarMultiplier(random));
    }

    /** Computes the proof with the random scalar of a test vector; using one scalar twice would reveal the secret. */
    static Dleq prove(
            VoprfServerKey serverKey,
            ECPoint blinded,
            ECPoint evaluated,
            BigInteger nonce,
            BlindedScalarMultiplier multiplier) {
        Composite composite = composite(serverKey.element(), blinded, evaluated);
        ECPoint t2 = multiplier.of(nonce, P384.GENERATOR);
        ECPoint t3 = multiplier.of(nonce, composite.blinded());
        BigInteger c = challenge(serverKey.element(), composite, t2, t3);
        return new Dleq(c, nonce.subtract(c.multiply(serverKey.scalar())).mod(P384.ORDER));
    }

    /** Computes VerifyProof. */
    boolean proves(ECPoint key, ECPoint blinded, ECPoint evaluated) {
        Composite composite = composite(key, blinded, evaluated);
        ECPoint t2 = ECAlgorithms.sumOfTwoMultiplies(P384.GENERATOR, s, key, c);
        ECPoint t3 = ECAlgorithms.sumOfTwoMultiplies(composite.blinded(), s, composite.evaluated(), c);
        // The identity has no encoding; honest proofs never produce it.
        if (t2.isInfinity() || t3.isInfinity()) {
            return false;
        }
        BigInteger expected = challenge(key, composite, t2, t3);
        return MessageDigest.isEqual(P384.encode(expected), P384.encode(c));
    }

    byte[] encode() {
        byte[] bytes = Arrays.copyOf(P384.encode(c), LENGTH);
        System.arraycopy(P384.encode(s), 0, bytes, P384.SCALAR, P384.SCALAR);
        return bytes;
    }

    /** Returns the proof in these bytes, or null when they are not two scalars. */
    static @Nullable Dleq decode(byte[] bytes) {
        if (bytes.length != LENGTH) {
            return null;
        }
        BigInteger c = P384.scalar(Arrays.copyOf(bytes, P384.SCALAR));
        BigInteger s = P384.scalar(Arrays.copyOfRange(bytes, P384.SCALAR, LENGTH));
        return c == null || s == null ? null : new Dleq(c, s);
    }

    /** Computes ComputeComposites for one pair of elements. */
    private static Composite composite(ECPoint key, ECPoint blinded, ECPoint evaluated) {
        byte[] seedInput = framed(P384.encode(key), ("Seed-" + Voprf.CONTEXT).getBytes(US_ASCII));
        byte[] seed = HashToCurve.sha384().digest(seedInput);
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        input.writeBytes(framed(seed));
        input.writeBytes(new byte[] {0, 0}); // the first and only pair
        input.writeBytes(framed(P384.encode(blinded), P384.encode(evaluated)));
        input.writeBytes("Composite".getBytes(US_ASCII));
        BigInteger weight = HashToCurve.scalar(input.toByteArray(), Voprf.SCALAR_TAG);
        return new Composite(
                blinded.multiply(weight).normalize(), evaluated.multiply(weight).normalize());
    }

    private static BigInteger challenge(ECPoint key, Composite composite, ECPoint t2, ECPoint t3) {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        input.writeBytes(framed(
                P384.encode(key),
                P384.encode(composite.blinded()),
                P384.encode(composite.evaluated()),
                P384.encode(t2),
                P384.encode(t3)));
        input.writeBytes("Challenge".getBytes(US_ASCII));
        return HashToCurve.scalar(input.toByteArray(), Voprf.SCALAR_TAG);
    }

    /** Returns the parts, each after its length in two bytes. */
    static byte[] framed(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.write(part.length >> 8);
            out.write(part.length);
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
