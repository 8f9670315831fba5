package dev.postern.auth.rsa;

import java.math.BigInteger;
import java.security.SecureRandom;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.crypto.engines.RSABlindingEngine;
import org.bouncycastle.crypto.engines.RSAEngine;
import org.bouncycastle.crypto.generators.RSABlindingFactorGenerator;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.params.RSABlindingParameters;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.signers.PSSSigner;
import org.bouncycastle.util.BigIntegers;

/**
 * Client side of a blind signature: RSABSSA with SHA-384 and PSS (RFC 9474 sections 4.2 and 4.4), for one message.
 *
 * <p>Contains the blinding factor, which must never leave the client: with the factor, token and request can be linked.
 */
final class BlindRsaClient {

    private static final int SALT_LENGTH = 48;

    private final RSAKeyParameters key;
    private final byte[] message;
    private final BigInteger factor;
    private final int saltLength;
    private final byte[] blinded;

    private BlindRsaClient(RSAKeyParameters key, byte[] message, BigInteger factor, int saltLength, byte[] blinded) {
        this.key = key;
        this.message = message;
        this.factor = factor;
        this.saltLength = saltLength;
        this.blinded = blinded;
    }

    /** Encodes the message under a random salt and blinds it by a random factor. */
    static BlindRsaClient of(BigInteger modulus, BigInteger exponent, byte[] message, SecureRandom random) {
        RSAKeyParameters key = new RSAKeyParameters(false, modulus, exponent);
        RSABlindingFactorGenerator factors = new RSABlindingFactorGenerator();
        factors.init(new ParametersWithRandom(key, random));
        byte[] salt = new byte[SALT_LENGTH];
        random.nextBytes(salt);
        return of(key, message, factors.generateBlindingFactor(), salt);
    }

    /** Encodes and blinds the message with the salt and factor of a test vector. */
    static BlindRsaClient of(RSAKeyParameters key, byte[] message, BigInteger factor, byte[] salt) {
        PSSSigner encoder = new PSSSigner(new RSABlindingEngine(), new SHA384Digest(), salt);
        encoder.init(true, new RSABlindingParameters(key, factor));
        encoder.update(message, 0, message.length);
        try {
            return new BlindRsaClient(key, message, factor, salt.length, encoder.generateSignature());
        } catch (CryptoException e) {
            throw new IllegalStateException("blinding failed", e);
        }
    }

    /** Returns the blinded message for the issuer; as long as the modulus. */
    byte[] blinded() {
        return blinded;
    }

    /**
     * Returns the signature of the message, computed from the issuer's response.
     *
     * @throws IllegalArgumentException when the response is not a signature of the blinded message
     */
    byte[] finish(byte[] blindSignature) {
        BigInteger modulus = key.getModulus();
        BigInteger sealed = new BigInteger(1, blindSignature);
        if (blindSignature.length != blinded.length || sealed.compareTo(modulus) >= 0) {
            throw new IllegalArgumentException("blind signature: " + blindSignature.length + " bytes (expected: "
                    + blinded.length + ", below the modulus)");
        }
        BigInteger plain =
                sealed.multiply(BigIntegers.modOddInverse(modulus, factor)).mod(modulus);
        byte[] signature = BigIntegers.asUnsignedByteArray(blinded.length, plain);
        PSSSigner check = new PSSSigner(new RSAEngine(), new SHA384Digest(), saltLength);
        check.init(false, key);
        check.update(message, 0, message.length);
        if (!check.verifySignature(signature)) {
            throw new IllegalArgumentException("blind signature: wrong (expected: the issuer's signature)");
        }
        return signature;
    }
}
