package dev.postern.auth.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.testing.Vectors;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.math.BigInteger;
import java.security.Security;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Tests every provider with the vectors of RFC 9474 and RFC 9578, and with invalid signatures. */
class ProviderVectorsTest {

    private static final byte[] CHALLENGE = new TokenChallenge(2, "issuer.example", new byte[32], "a.example").encode();

    static List<String> providers() {
        return SignatureProvider.names();
    }

    static Stream<Arguments> rfc9474() {
        JsonNode all = Vectors.read("rfc9474/blind-rsa.json");
        return providers().stream()
                .flatMap(p -> all.properties().stream()
                        .map(Map.Entry::getKey)
                        .map(variant -> Arguments.of(p, variant, all.get(variant))));
    }

    static Stream<Arguments> rfc9578() {
        return providers().stream()
                .flatMap(p -> Vectors.list("rfc9578/type2-blind-rsa-2048.json").stream()
                        .map(v -> Arguments.of(p, v)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("rfc9474")
    void verifiesTheSignaturesOfRfc9474UnderTheirSaltLengthAlone(String provider, String variant, JsonNode vector)
            throws Exception {
        int salt = Vectors.bytes(vector, "salt").length;
        byte[] message = Vectors.bytes(vector, "prepared_msg");
        byte[] signature = Vectors.bytes(vector, "sig");

        RsaPss right = check(provider, vector, salt);
        RsaPss wrong = check(provider, vector, salt == 0 ? 48 : 0);

        assertThat(right.verify(message, message.length, signature, 0, signature.length))
                .isTrue();
        assertThat(wrong.verify(message, message.length, signature, 0, signature.length))
                .isFalse();
        signature[100] ^= 4;
        assertThat(right.verify(message, message.length, signature, 0, signature.length))
                .isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rfc9578")
    void acceptsTheTokensOfRfc9578(String provider, JsonNode vector) {
        Token token = Token.parse(Vectors.bytes(vector, "token"));
        IssuerKey key = IssuerKey.read(TokenType.BLIND_RSA, Vectors.bytes(vector, "pkS"));

        assertThat(token).isNotNull();
        assertThat(token.keyId()).isEqualTo(key.id());
        assertThat(token.challengeDigest()).isEqualTo(TokenChallenge.sha256(Vectors.bytes(vector, "token_challenge")));
        SignatureCheck check = SignatureProvider.named(provider).check(key);
        assertThat(check.accepts(token)).isTrue();
        assertThat(check.accepts(token)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void refusesEveryChangedByte(String provider) {
        Token token = TokenMint.shared().token(CHALLENGE);
        SignatureCheck check =
                SignatureProvider.named(provider).check(TokenMint.shared().key());
        for (int i = 2; i < token.bytes().length; i++) {
            byte[] changed = token.bytes().clone();
            changed[i] ^= (byte) (1 << i % 8);
            assertThat(check.accepts(parsed(changed))).as("byte %d", i).isFalse();
        }
        assertThat(check.accepts(token)).isTrue();
    }

    /** RFC 8017 section 5.2.2: s + n represents the same number, and must be refused. */
    @ParameterizedTest
    @MethodSource("providers")
    void refusesSignaturesThatAreNotBelowTheModulus(String provider) {
        RsaKey key = TokenMint.shared().key();
        SignatureCheck check = SignatureProvider.named(provider).check(key);
        BigInteger limit = BigInteger.ONE.shiftLeft(2048);
        byte[] congruent;
        Token token;
        do {
            token = TokenMint.shared().token(CHALLENGE);
            BigInteger signature = new BigInteger(1, Arrays.copyOfRange(token.bytes(), 98, 354));
            congruent = signature.add(key.modulus()).compareTo(limit) < 0
                    ? signature.add(key.modulus()).toByteArray()
                    : null;
        } while (congruent == null);
        byte[] bytes = token.bytes().clone();
        System.arraycopy(congruent, congruent.length - 256, bytes, 98, 256);

        assertThat(check.accepts(token)).isTrue();
        assertThat(check.accepts(parsed(bytes))).isFalse();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void refusesTrivialAuthenticators(String provider) {
        RsaKey key = TokenMint.shared().key();
        SignatureCheck check = SignatureProvider.named(provider).check(key);
        for (BigInteger trivial :
                List.of(BigInteger.ZERO, BigInteger.ONE, key.modulus().subtract(BigInteger.ONE), key.modulus())) {
            byte[] bytes = TokenMint.shared().token(CHALLENGE).bytes().clone();
            Arrays.fill(bytes, 98, 354, (byte) 0);
            byte[] number = trivial.toByteArray();
            int length = Math.min(256, number.length);
            System.arraycopy(number, number.length - length, bytes, 354 - length, length);
            assertThat(check.accepts(parsed(bytes))).isFalse();
        }
    }

    @Test
    void callsNoProviderForSignaturesThatAreNotBelowTheModulus() {
        RsaKey key = TokenMint.shared().key();
        SignatureCheck check = SignatureProvider.rsaCheck(key, (m, length, s, start, count) -> true);
        byte[] bytes = TokenMint.shared().token(CHALLENGE).bytes().clone();
        assertThat(check.accepts(parsed(bytes.clone()))).isTrue();

        System.arraycopy(key.modulus().toByteArray(), 1, bytes, 98, 256);

        assertThat(check.accepts(parsed(bytes))).isFalse();
    }

    /** RFC 8017 section 8.1.2, step 1; some providers throw an exception instead. */
    @ParameterizedTest
    @MethodSource("providers")
    void refusesSignaturesOfOtherLengths(String provider) throws Exception {
        RsaKey key = TokenMint.shared().key();
        byte[] bytes = Arrays.copyOf(TokenMint.shared().token(CHALLENGE).bytes(), 400);
        RsaPss check = SignatureProvider.maker(provider).of(key.modulus(), key.exponent(), 48);
        for (int length : new int[] {0, 1, 255, 257, 300}) {
            assertThat(check.verify(bytes, 98, bytes, 98, length))
                    .as("%d bytes", length)
                    .isFalse();
        }
        assertThat(check.verify(bytes, 98, bytes, 98, 256)).isTrue();
    }

    /** RFC 9578 section 6.4 fixes the salt length; a check that derives it from the signature would accept these. */
    @ParameterizedTest
    @MethodSource("providers")
    void refusesOtherSaltLengths(String provider) {
        SignatureCheck check =
                SignatureProvider.named(provider).check(TokenMint.shared().key());
        byte[] signed = Arrays.copyOf(TokenMint.shared().token(CHALLENGE).bytes(), 98);
        for (int salt : new int[] {0, 20, 32, 47, 49, 64}) {
            assertThat(check.accepts(Token.of(signed, TokenMint.shared().sign(signed, salt))))
                    .isFalse();
        }
        assertThat(check.accepts(Token.of(signed, TokenMint.shared().sign(signed, 48))))
                .isTrue();
    }

    @Test
    void choosesTheNativeProviderWithoutRegisteringIt() {
        SignatureProvider chosen = SignatureProvider.choose();

        assertThat(chosen.description().name()).isEqualTo(SignatureProvider.NATIVE);
        assertThat(chosen.description().why()).isEqualTo("passes the self-test; fastest");
        assertThat(Security.getProvider("AmazonCorrettoCryptoProvider")).isNull();
        assertThat(Security.getProvider("BC")).isNull();
    }

    @Test
    void failsTheSelfTestWithWrongArithmetic() {
        RsaPss.Maker yes = (n, e, salt) -> (m, length, s, start, count) -> true;
        RsaPss.Maker no = (n, e, salt) -> (m, length, s, start, count) -> false;
        RsaPss.Maker anySalt = (n, e, salt) ->
                SignatureProvider.maker(SignatureProvider.PORTABLE).of(n, e, 48);
        RsaPss.Maker broken = (n, e, salt) -> {
            throw new IllegalArgumentException("broken");
        };

        for (RsaPss.Maker maker : List.of(yes, no, anySalt, broken)) {
            assertThatThrownBy(() -> SelfTest.run(maker)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void saysWhichPartOfTheSelfTestFailed() {
        assertThatThrownBy(() -> SelfTest.run((n, e, salt) -> (m, length, s, start, count) -> false))
                .hasMessage("fails the self-test: a good signature refused");
        assertThatThrownBy(() -> SelfTest.run((n, e, salt) -> (m, length, s, start, count) -> true))
                .hasMessage("fails the self-test: a token with one bit changed accepted");
    }

    private static RsaPss check(String provider, JsonNode vector, int salt) throws Exception {
        return SignatureProvider.maker(provider).of(Vectors.number(vector, "n"), Vectors.number(vector, "e"), salt);
    }

    private static Token parsed(byte[] bytes) {
        Token token = Token.parse(bytes);
        assertThat(token).isNotNull();
        return token;
    }
}
