package dev.postern.auth.verify;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

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
                            + " (" + e + ")",
                    e);
        }
    }
}
