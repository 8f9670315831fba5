package dev.postern.auth.verify;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import dev.postern.core.transport.FailureText;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.crypto.engines.RSAEngine;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.signers.PSSSigner;

/**
 * Provider of signature checks: the crypto providers that support them, fastest first, and the choice among them. None is registered with
 * the platform, so that other code keeps its providers. Immutable and thread-safe.
 */
public final class SignatureProvider {

    /** Names in the order of preference. */
    public static final String NATIVE = "AmazonCorrettoCryptoProvider";

    public static final String PLATFORM = "SunRsaSign";
    public static final String PORTABLE = "BouncyCastle";

    private static final int SALT_LENGTH = 48;

    private final CryptoProvider description;
    private final RsaPss.Maker rsa;

    private SignatureProvider(CryptoProvider description, RsaPss.Maker rsa) {
        this.description = description;
        this.rsa = rsa;
    }

    /** Returns all names that {@link #named} knows, fastest first. */
    public static List<String> names() {
        return List.of(NATIVE, PLATFORM, PORTABLE);
    }

    /** Returns the first provider that loads and passes the self-test, with the reason; one always does. */
    public static SignatureProvider choose() {
        List<String> against = new ArrayList<>();
        for (String name : names()) {
            try {
                SignatureProvider found = named(name);
                String others = against.isEmpty() ? "fastest" : String.join("; ", against);
                String reason = "passes the self-test; " + others;
                return new SignatureProvider(
                        new CryptoProvider(name, reason, found.description.perSecond()), found.rsa);
            } catch (IllegalStateException e) {
                against.add(name + ": " + e.getMessage());
            }
        }
        throw new IllegalStateException("crypto provider: none works (expected: one of " + names() + "): " + against);
    }

    /**
     * Returns the provider of that name, tested.
     *
     * @throws IllegalStateException stating why it cannot be used
     */
    public static SignatureProvider named(String name) {
        RsaPss.Maker maker = maker(name);
        double perSecond = SelfTest.run(maker);
        return new SignatureProvider(new CryptoProvider(name, "asked for by name", perSecond), maker);
    }

    public CryptoProvider description() {
        return description;
    }

    /** Returns a check of that key for one thread. */
    public SignatureCheck check(IssuerKey key) {
        return TokenScheme.of(key.type(), Verification.class).check(key, this);
    }

    /** Returns the check of a key of type 2 with this provider. */
    public SignatureCheck check(RsaKey key) {
        try {
            return rsaCheck(key, rsa.of(key.modulus(), key.exponent(), SALT_LENGTH));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(description.name() + " refuses key " + key, e);
        }
    }

    static SignatureCheck rsaCheck(RsaKey key, RsaPss pss) {
        int signed = TokenType.BLIND_RSA.signedLength();
        return (Token token) -> {
            byte[] bytes = token.bytes();
            // Providers differ in what they do with s >= n; RFC 8017 section 5.2.2 does not.
            return bytes.length == signed + RsaKey.LENGTH
                    && key.above(bytes, signed)
                    && pss.verify(bytes, signed, bytes, signed, RsaKey.LENGTH);
        };
    }

    static RsaPss.Maker maker(String name) {
        return switch (name) {
            case NATIVE -> jca(SignatureProvider::loadNative);
            case PLATFORM -> jca(() -> Security.getProvider(PLATFORM));
            case PORTABLE -> BouncyPss::of;
            default -> throw new IllegalArgumentException("crypto provider: " + name + " (expected: " + names() + ")");
        };
    }

    private static RsaPss.Maker jca(Supplier<Provider> loader) {
        Provider provider = loader.get();
        if (provider == null) {
            throw new IllegalStateException("not part of this Java");
        }
        return (modulus, exponent, salt) -> JcaPss.of(provider, modulus, exponent, salt);
    }

    /** Returns Amazon's provider if its native library loads here and is healthy. */
    private static Provider loadNative() {
        try {
            AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
            provider.assertHealthy();
            return provider;
        } catch (LinkageError | RuntimeException e) {
            throw new IllegalStateException(
                    "no native library for " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
                            + " (" + FailureText.of(e) + ")",
                    e);
        }
    }

    /** RSASSA-PSS by BouncyCastle's own classes; works on every platform. */
    private static final class BouncyPss implements RsaPss {

        private final PSSSigner signer;

        private BouncyPss(PSSSigner signer) {
            this.signer = signer;
        }

        static RsaPss of(BigInteger modulus, BigInteger exponent, int saltLength) {
            PSSSigner signer = new PSSSigner(new RSAEngine(), new SHA384Digest(), saltLength);
            signer.init(false, new RSAKeyParameters(false, modulus, exponent));
            return new BouncyPss(signer);
        }

        @Override
        public boolean verify(byte[] message, int length, byte[] sig, int sigStart, int sigLength) {
            signer.update(message, 0, length);
            return signer.verifySignature(Arrays.copyOfRange(sig, sigStart, sigStart + sigLength));
        }
    }

    /** RSASSA-PSS by a provider of the Java Cryptography Architecture, which need not be registered. */
    private static final class JcaPss implements RsaPss {

        private final Signature signature;

        private JcaPss(Signature signature) {
            this.signature = signature;
        }

        static RsaPss of(Provider provider, BigInteger modulus, BigInteger exponent, int saltLength)
                throws GeneralSecurityException {
            PublicKey key =
                    KeyFactory.getInstance("RSA", provider).generatePublic(new RSAPublicKeySpec(modulus, exponent));
            Signature signature = Signature.getInstance("RSASSA-PSS", provider);
            signature.setParameter(new PSSParameterSpec(
                    "SHA-384", "MGF1", MGF1ParameterSpec.SHA384, saltLength, PSSParameterSpec.TRAILER_FIELD_BC));
            signature.initVerify(key);
            return new JcaPss(signature);
        }

        @Override
        public boolean verify(byte[] message, int length, byte[] sig, int sigStart, int sigLength) {
            try {
                signature.update(message, 0, length);
                return signature.verify(sig, sigStart, sigLength);
            } catch (SignatureException e) {
                return false; // some providers throw for an invalid signature
            }
        }
    }
}
