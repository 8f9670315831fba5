package dev.postern.auth.rsa;

import dev.postern.auth.issue.Issuance;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.issue.PendingToken;
import dev.postern.auth.issue.TokenRequest;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.SignatureCheck;
import dev.postern.auth.verify.SignatureProvider;
import java.math.BigInteger;
import java.security.SecureRandom;
import org.bouncycastle.crypto.params.RSAKeyParameters;

/** Blind RSA (2048-bit), token type 2: publicly verifiable (RFC 9578 section 6). */
public final class BlindRsa implements Issuance {

    @Override
    public TokenType type() {
        return TokenType.BLIND_RSA;
    }

    @Override
    public IssuerKey readKey(byte[] encoded) {
        return new RsaKey(encoded);
    }

    @Override
    public IssuerKey readListedKey(byte[] encoded) {
        return RsaKey.listed(encoded);
    }

    @Override
    public SignatureCheck check(IssuerKey key, SignatureProvider provider) {
        return provider.check((RsaKey) key);
    }

    @Override
    public int blindedLength() {
        return RsaKey.LENGTH;
    }

    @Override
    public PendingToken begin(IssuerKey key, Bytes32 challengeDigest, SecureRandom random) {
        byte[] nonce = new byte[32];
        random.nextBytes(nonce);
        RsaKey rsa = (RsaKey) key;
        byte[] signed = Token.signedPart(type(), nonce, challengeDigest, key.id());
        return new Pending(rsa, signed, BlindRsaClient.of(rsa.modulus(), rsa.exponent(), signed, random));
    }

    /** Creates a pending token with the nonce, salt and factor of a test vector. */
    PendingToken begin(RsaKey key, Bytes32 challengeDigest, byte[] nonce, BigInteger factor, byte[] salt) {
        byte[] signed = Token.signedPart(type(), nonce, challengeDigest, key.id());
        RSAKeyParameters rsa = new RSAKeyParameters(false, key.modulus(), key.exponent());
        return new Pending(key, signed, BlindRsaClient.of(rsa, signed, factor, salt));
    }

    @Override
    public IssuingKey generate() {
        return BlindRsaSigner.generate();
    }

    private record Pending(RsaKey key, byte[] signed, BlindRsaClient client) implements PendingToken {

        @Override
        public TokenRequest request() {
            return new TokenRequest(TokenType.BLIND_RSA, key.id().last(), client.blinded());
        }

        @Override
        public Token finish(byte[] response) {
            return Token.of(signed, client.finish(response));
        }
    }
}
