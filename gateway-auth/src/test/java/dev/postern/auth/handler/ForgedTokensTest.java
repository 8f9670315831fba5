package dev.postern.auth.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.core.http.FieldName;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the identify and verify stages with forged or malformed tokens, and tokens of other routes or times. */
class ForgedTokensTest extends TokenStageFixture {

    /** Changes to a valid token for the current challenge, and the reason in the log; the client receives the same response for all. */
    static Stream<Arguments> forged() {
        BiFunction<Integer, Integer, Change> flip = (at, bit) -> (bytes, challenge) -> {
            bytes[at] ^= (byte) (1 << bit);
            return bytes;
        };
        return Stream.of(
                forged("nonce changed", "invalid", flip.apply(2, 0)),
                forged("last byte of the nonce changed", "invalid", flip.apply(33, 7)),
                forged("first byte of the digest changed", "wrong-challenge", flip.apply(34, 0)),
                forged("last byte of the digest changed", "wrong-challenge", flip.apply(65, 0)),
                forged("first byte of the key id changed", "unknown-key", flip.apply(66, 0)),
                forged("last byte of the key id changed", "unknown-key", flip.apply(97, 0)),
                forged("first byte of the signature changed", "invalid", flip.apply(98, 0)),
                forged("highest bit of the signature changed", "invalid", flip.apply(98, 7)),
                forged("last byte of the signature changed", "invalid", flip.apply(353, 0)),
                forged("signature of nothing", "invalid", (bytes, c) -> fill(bytes, 98, 354, 0)),
                forged("signature of ones", "invalid", (bytes, c) -> fill(bytes, 98, 354, 0xff)),
                forged("all zero but the type", "unknown-key", (bytes, c) -> fill(bytes, 2, 354, 0)),
                forged("all ones but the type", "unknown-key", (bytes, c) -> fill(bytes, 2, 354, 0xff)),
                forged("signature of another token", "invalid", (bytes, c) -> {
                    System.arraycopy(MINT.token(c).bytes(), 98, bytes, 98, 256);
                    return bytes;
                }),
                forged(
                        "key of another issuer",
                        "unknown-key",
                        (bytes, c) -> OTHER_MINT.token(c).bytes()),
                forged(
                        "unknown key",
                        "unknown-key",
                        (bytes, c) -> TokenMint.fresh().token(c).bytes()),
                forged("another's signature under our key id", "invalid", (bytes, c) -> {
                    byte[] signed = Arrays.copyOf(bytes, 98);
                    return Token.of(signed, OTHER_MINT.sign(signed, 48)).bytes();
                }),
                forged("salt of no bytes", "invalid", (bytes, c) -> salted(bytes, 0)),
                forged("salt of 32 bytes", "invalid", (bytes, c) -> salted(bytes, 32)),
                forged("salt of 49 bytes", "invalid", (bytes, c) -> salted(bytes, 49)),
                forged(
                        "challenge with another context",
                        "wrong-challenge",
                        (bytes, c) -> response(c, 2, "issuer.example", new byte[32], "gateway.example")),
                forged(
                        "challenge without context",
                        "wrong-challenge",
                        (bytes, c) -> response(c, 2, "issuer.example", new byte[0], "gateway.example")),
                forged(
                        "challenge of another issuer",
                        "wrong-challenge",
                        (bytes, c) -> response(c, 2, "evil.example", null, "gateway.example")),
                forged(
                        "challenge for the second issuer",
                        "unknown-key",
                        (bytes, c) -> response(c, 2, "other.example", null, "gateway.example")),
                forged(
                        "challenge of another type",
                        "wrong-challenge",
                        (bytes, c) -> response(c, 1, "issuer.example", null, "gateway.example")),
                forged(
                        "challenge for another origin",
                        "wrong-challenge",
                        (bytes, c) -> response(c, 2, "issuer.example", null, "evil.example")),
                forged(
                        "challenge for any origin",
                        "wrong-challenge",
                        (bytes, c) -> response(c, 2, "issuer.example", null, "")),
                forged(
                        "origin in another case",
                        "wrong-challenge",
                        (bytes, c) -> response(c, 2, "issuer.example", null, "Gateway.example")),
                forged(
                        "challenge with a byte more",
                        "wrong-challenge",
                        (bytes, c) -> MINT.token(Arrays.copyOf(c, c.length + 1)).bytes()),
                forged("undefined type", "unsupported-type", flip.apply(1, 2)),
                forged(
                        "type in the other byte order",
                        "unsupported-type",
                        flip.apply(1, 1).then(flip.apply(0, 1))),
                forged("GREASE type", "grease", flip.apply(1, 1)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("forged")
    void refusesForgedTokensAlikeAndLogsTheReason(String subject, String reason, Change change) {
        byte[] challenge = encoded(challenge(REQUIRED));
        byte[] good = MINT.token(challenge).bytes();

        TestExchange refused = send(REQUIRED, "authorization", credentials(change.of(good.clone(), challenge)));

        assertRefused(refused, 401, reason);
        assertThat(refused.responded(FieldName.WWW_AUTHENTICATE))
                .isEqualTo(send(REQUIRED).responded(FieldName.WWW_AUTHENTICATE));
        assertThat(refused.exchange().get(Redemption.KEY)).isNull();
        assertThat(refused.exchange().credential()).isNull();
        // The unmodified token is still valid.
        assertThat(passed(send(REQUIRED, "authorization", credentials(good)))).isTrue();
    }

    @Test
    void refusesSeveralCredentialFieldsAsMalformed() {
        String good = MINT.response(challenge(REQUIRED));

        assertRefused(send(REQUIRED, "authorization", good, "authorization", good), 400, "malformed");
        assertRefused(send(REQUIRED, "authorization", good, "authorization", "Basic YTpi"), 400, "malformed");
    }

    @Test
    void acceptsTheFirstIssuersAndTheSecondIssuersTokens() {
        TestExchange exchange = send(REQUIRED);
        String second = exchange.responded(FieldName.WWW_AUTHENTICATE).get(1);

        assertThat(passed(send(REQUIRED, "authorization", OTHER_MINT.response(second))))
                .isTrue();
        assertRefused(send(REQUIRED, "authorization", MINT.response(second)), 401, "unknown-key");
    }

    @Test
    void refusesATokenOfAnotherRoute() {
        String credentials = MINT.response(challenge(REQUIRED));

        assertRefused(send(WITH_ROOM, "authorization", credentials), 401, "wrong-challenge");
    }

    @Test
    void refusesATokenOfAPreviousEpoch() {
        String credentials = MINT.response(challenge(REQUIRED));
        epoch = "next".getBytes(UTF_8);

        assertRefused(send(REQUIRED, "authorization", credentials), 401, "wrong-challenge");
        assertThat(passed(send(REQUIRED, "authorization", MINT.response(challenge(REQUIRED)))))
                .isTrue();
    }

    @Test
    void refusesATokenOfEarlierWindows() {
        String credentials = MINT.response(challenge(REQUIRED));
        clock.advance(Duration.ofSeconds(1229));
        assertThat(passed(send(REQUIRED, "authorization", credentials))).isTrue();
        clock.advance(Duration.ofSeconds(1));

        assertRefused(send(REQUIRED, "authorization", credentials), 401, "wrong-challenge");
    }

    @FunctionalInterface
    private interface Change {

        byte[] of(byte[] token, byte[] challenge);

        default Change then(Change next) {
            return (token, challenge) -> next.of(of(token, challenge), challenge);
        }
    }

    private static Arguments forged(String subject, String reason, Change change) {
        return Arguments.of(subject, reason, change);
    }

    private static byte[] fill(byte[] bytes, int from, int end, int value) {
        Arrays.fill(bytes, from, end, (byte) value);
        return bytes;
    }

    private static byte[] salted(byte[] bytes, int salt) {
        byte[] signed = Arrays.copyOf(bytes, 98);
        return Token.of(signed, MINT.sign(signed, salt)).bytes();
    }

    private static byte[] response(byte[] real, int type, String issuer, byte @Nullable [] context, String origins) {
        byte[] own = decoded(real).redemptionContext();
        return MINT.token(new TokenChallenge(type, issuer, context == null ? own : context, origins).encode())
                .bytes();
    }
}
