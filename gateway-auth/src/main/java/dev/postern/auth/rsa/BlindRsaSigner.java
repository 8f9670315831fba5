package dev.postern.auth.rsa;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.RsaKey;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/**
 * Signer of blinded messages: the raw private-key operation (RFC 9474 section 4.3), native where available. Both providers use the Chinese
 * remainder theorem and blind against timing themselves. Thread-safe.
 */
final class BlindRsaSigner implements IssuingKey {

    private final RSAPrivateCrtKey key;
    private final RSAPublicKey publicKey;
    private final int length;
    private final ThreadLocal<Ciphers> ciphers;

    private record Ciphers(Cipher sign, Cipher check) {}

    BlindRsaSigner(RSAPrivateCrtKey key, RSAPublicKey publicKey) {
        this.key = key;
        this.publicKey = publicKey;
        this.length = (publicKey.getModulus().bitLength() + 7) / 8;
        Provider fast = nativeProvider();
        this.ciphers = ThreadLocal.withInitial(() -> ciphers(fast));
    }

    /** Generates a key of 2048 bits. */
    static BlindRsaSigner generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            return new BlindRsaSigner((RSAPrivateCrtKey) pair.getPrivate(), (RSAPublicKey) pair.getPublic());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("RSA is missing, which every Java platform must have", e);
        }
    }

    RSAPublicKey publicKey() {
        return publicKey;
    }

    @Override
    public IssuerKey published() {
        return RsaKey.of(publicKey.getModulus());
    }

    /**
     * Signs a blinded message and checks the result: a signature from a faulty computation would reveal the key (section 7.1).
     *
     * @param blinded as long as the modulus; the result is null for a number that is not below the modulus
     */
    @Override
    public byte @Nullable [] sign(byte[] blinded) {
        if (blinded.length != length || new BigInteger(1, blinded).compareTo(publicKey.getModulus()) >= 0) {
            return null;
        }
        Ciphers mine = ciphers.get();
        try {
            byte[] signature = mine.sign().doFinal(blinded);
            if (Arrays.equals(mine.check().doFinal(signature), blinded)) {
                return signature;
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("blind signature: failed", e);
        }
        throw new IllegalStateException("blind signature: wrong (expected: s^e = m); the computation is faulty");
    }

    private Ciphers ciphers(@Nullable Provider fast) {
        try {
            return new Ciphers(cipher(Cipher.DECRYPT_MODE, fast), cipher(Cipher.ENCRYPT_MODE, fast));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("RSA without padding is missing on this platform", e);
        }
    }

    private Cipher cipher(int mode, @Nullable Provider fast) throws GeneralSecurityException {
        String bare = "RSA/ECB/NoPadding";
        Cipher cipher = fast == null ? Cipher.getInstance(bare) : Cipher.getInstance(bare, fast);
        cipher.init(mode, mode == Cipher.DECRYPT_MODE ? key : publicKey);
        return cipher;
    }

    private static @Nullable Provider nativeProvider() {
        try {
            AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
            provider.assertHealthy();
            return provider;
        } catch (LinkageError | RuntimeException e) {
            return null; // the platform's provider works too, three times slower
        }
    }
}
