package dev.postern.app.credential;

import static dev.postern.app.credential.ExpectedResponse.INVALID;
import static dev.postern.app.credential.ExpectedResponse.UNKNOWN_KEY;
import static dev.postern.app.credential.Row.bad;
import static dev.postern.app.credential.Row.other;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.TokenChallenge;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.RSAPublicKeySpec;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Rules for keys that are not accepted, or not for this request, and ids of unknown keys. */
final class KeyRows {

    private static final String DIRECTORY = "RFC 9578 section 4";
    private static final String KEY_ID = "RFC 9578 section 6.5";

    /** Offset of RSAPublicKey in the published encoding. */
    private static final int BIT_STRING = 72;

    private KeyRows() {}

    static List<Row> rows() {
        return Stream.of(keys(), ids()).flatMap(List::stream).toList();
    }

    private static Row key(String name, String rule, Function<TokenMints, TokenMint> signer) {
        return bad(
                name,
                rule,
                UNKNOWN_KEY,
                m -> m.line(signer.apply(m.mints())
                        .token(m.challengeBytes(), m.nonce())
                        .bytes()));
    }

    private static List<Row> keys() {
        return List.of(
                other(
                        "another key that the issuer lists",
                        DIRECTORY,
                        m -> m.line(m.mints()
                                .second()
                                .token(m.challengeBytes(), m.nonce())
                                .bytes())),
                key("key that the issuer no longer lists", DIRECTORY, TokenMints::retired),
                key("key that the issuer lists for later", DIRECTORY, TokenMints::early),
                key("key that the operator revoked", "RFC 9577 section 4", TokenMints::revoked),
                key("key in no directory", DIRECTORY, TokenMints::unknown),
                key("key of the other issuer", "RFC 9577 section 2.1.1", TokenMints::other),
                bad(
                        "this issuer's key for the other one's challenge",
                        "RFC 9577 section 2.1.1",
                        UNKNOWN_KEY,
                        m -> m.line(m.responding(m.foreign().otherIssuer()))));
    }

    private static Row id(String name, Function<TokenMint, byte[]> hashed) {
        return bad(
                name,
                KEY_ID,
                UNKNOWN_KEY,
                m -> m.line(m.keyId(
                        TokenChallenge.sha256(hashed.apply(m.mints().current())),
                        m.mints().current())));
    }

    private static List<Row> ids() {
        return List.of(
                id("key id of the key as rsaEncryption", KeyRows::rsaEncryption),
                id(
                        "key id of the bare RSAPublicKey",
                        mint -> Arrays.copyOfRange(
                                mint.key().encoded(), BIT_STRING, mint.key().encoded().length)),
                id("key id of the modulus", mint -> mint.key().modulus().toByteArray()),
                id("key id of the key's text", mint -> mint.publicKey().getBytes(US_ASCII)),
                bad(
                        "key id of which only the last byte is there",
                        "RFC 9578 section 6.1",
                        UNKNOWN_KEY,
                        m -> m.line(
                                m.keyId(lastByte(m.mints().current()), m.mints().current()))),
                bad(
                        "key id of another key that the issuer lists",
                        KEY_ID,
                        INVALID,
                        m -> m.line(
                                m.keyId(m.mints().second().key().id(), m.mints().current()))));
    }

    private static Bytes32 lastByte(TokenMint mint) {
        return new Bytes32(0, 0, 0, mint.key().id().last() & 0xffL);
    }

    private static byte[] rsaEncryption(TokenMint mint) {
        try {
            BigInteger modulus = mint.key().modulus();
            return KeyFactory.getInstance("RSA")
                    .generatePublic(new RSAPublicKeySpec(modulus, mint.key().exponent()))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
