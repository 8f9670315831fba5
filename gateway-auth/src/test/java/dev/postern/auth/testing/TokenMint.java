package dev.postern.auth.testing;

import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/**
 * Issuer and client in one object: creates valid tokens for a challenge within some hundred microseconds each, without blinding and HTTP.
 * Thread-safe.
 */
public final class TokenMint {

    private final RsaKey key;
    private final PrivateKey secret;
    private final SecureRandom random = new SecureRandom();

    private TokenMint(RsaKey key, PrivateKey secret) {
        this.key = key;
        this.secret = secret;
    }

    /** Returns the mint whose key all tests of one JVM share. */
    public static TokenMint shared() {
        return Shared.MINT;
    }

    /** Returns a mint with a new key; takes some hundred milliseconds. */
    public static TokenMint fresh() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            RSAPublicKey published = (RSAPublicKey) pair.getPublic();
            return new TokenMint(RsaKey.of(published.getModulus()), pair.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public RsaKey key() {
        return key;
    }

    /** Returns the key in the format of {@code public-keys} in the settings. */
    public String publicKey() {
        return Base64Url.encode(key.encoded());
    }

    /** Creates a token with a random nonce for that encoded TokenChallenge. */
    public Token token(byte[] challenge) {
        byte[] nonce = new byte[32];
        random.nextBytes(nonce);
        return token(challenge, nonce);
    }

    public Token token(byte[] challenge, byte[] nonce) {
        byte[] signed = Token.signedPart(TokenType.BLIND_RSA, nonce, TokenChallenge.sha256(challenge), key.id());
        return Token.of(signed, sign(signed, 48));
    }

    /** Signs with RSASSA-PSS and SHA-384 with any salt length, valid or not. */
    public byte[] sign(byte[] message, int saltLength) {
        return sign(message, new PSSParameterSpec("SHA-384", "MGF1", MGF1ParameterSpec.SHA384, saltLength, 1));
    }

    /** Signs with RSASSA-PSS with any parameters. */
    public byte[] sign(byte[] message, PSSParameterSpec parameters) {
        return sign(message, "RSASSA-PSS", parameters);
    }

    /** Signs with any algorithm without parameters, for example RSASSA-PKCS1-v1_5. */
    public byte[] sign(byte[] message, String algorithm) {
        return sign(message, algorithm, null);
    }

    private byte[] sign(byte[] message, String algorithm, @Nullable PSSParameterSpec parameters) {
        try {
            Signature signature = Signature.getInstance(algorithm);
            if (parameters != null) {
                signature.setParameter(parameters);
            }
            signature.initSign(secret);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Applies the private key without padding; returns 256 bytes. */
    public byte[] power(BigInteger number) {
        try {
            Cipher cipher = Cipher.getInstance("RSA/ECB/NoPadding");
            cipher.init(Cipher.DECRYPT_MODE, secret);
            byte[] block = new byte[RsaKey.LENGTH];
            byte[] bytes = number.toByteArray();
            int length = Math.min(bytes.length, block.length);
            System.arraycopy(bytes, bytes.length - length, block, block.length - length, length);
            return cipher.doFinal(block);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Creates credentials for the first challenge of type 2 in a {@code WWW-Authenticate} or {@code Proxy-Authenticate} value. */
    public String response(String authenticate) {
        List<ChallengeField> challenges = ChallengeField.parse(authenticate);
        if (challenges == null) {
            throw new IllegalArgumentException(authenticate + " (expected: challenges)");
        }
        for (ChallengeField field : challenges) {
            TokenChallenge challenge = TokenChallenge.decode(field.challenge());
            if (challenge != null && challenge.tokenType() == TokenType.BLIND_RSA.value()) {
                return credentials(token(field.challenge()));
            }
        }
        throw new IllegalArgumentException(authenticate + " (expected: a challenge of type 2)");
    }

    /** Returns the token type of the first challenge in a {@code WWW-Authenticate} value. */
    public static int typeOf(String authenticate) {
        List<ChallengeField> challenges = ChallengeField.parse(authenticate);
        TokenChallenge first = challenges == null || challenges.isEmpty()
                ? null
                : TokenChallenge.decode(challenges.get(0).challenge());
        if (first == null) {
            throw new IllegalArgumentException(authenticate + " (expected: a challenge)");
        }
        return first.tokenType();
    }

    /** Returns {@code PrivateToken token="..."}. */
    public static String credentials(Token token) {
        return "PrivateToken token=\"" + token.encoded() + "\"";
    }

    private static final class Shared {

        static final TokenMint MINT = fresh();
    }
}
