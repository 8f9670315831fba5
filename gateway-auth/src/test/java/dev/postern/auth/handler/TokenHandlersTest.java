package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.FORWARD;
import static dev.postern.auth.testing.TestExchange.REVERSE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.Auth;
import dev.postern.auth.AuthSettings;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.FieldName;
import dev.postern.core.exchange.Method;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.Route;
import dev.postern.core.seal.KeyRing;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Identify and verify as they stand in the pipeline, with real keys and no socket. */
@ExtendWith(LeakExtension.class)
class TokenHandlersTest {

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final Route REQUIRED = TestExchange.route("*/", Route.Token.REQUIRED, null);
    private static final Route WITH_ROOM = TestExchange.route("*/room", Route.Token.REQUIRED, "site");
    private static final Route OPTIONAL = TestExchange.route("*/optional", Route.Token.OPTIONAL, null);
    private static final Route OFF = TestExchange.route("*/off", Route.Token.OFF, null);
    private static final TokenMint MINT = TokenMint.shared();
    private static final TokenMint OTHER_MINT = TokenMint.fresh();

    private final ManualClock clock = new ManualClock(START);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private byte[] epoch = "epoch".getBytes(UTF_8);
    private Auth auth =
            open("authorization", "default", issuer("issuer.example", MINT), issuer("other.example", OTHER_MINT));
    private EmbeddedChannel channel = channel();

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        auth.close();
    }

    @Test
    void passesAGoodTokenAndLeavesCredentialAndRedemption() {
        String credentials = MINT.answer(challenge(REQUIRED));

        TestExchange exchange = send(REQUIRED, "authorization", credentials, "accept", "text/html");

        assertThat(passed(exchange)).isTrue();
        Credential credential = exchange.exchange().credential();
        assertThat(credential).isNotNull();
        assertThat(credential.acceptable()).isTrue();
        Redemption redemption = exchange.exchange().get(Redemption.SLOT);
        assertThat(redemption).isNotNull();
        assertThat(redemption.key()).hasSize(16).isNotEqualTo(credential.id());
        assertThat(redemption.acceptedUntil()).isEqualTo(START.plusSeconds(1260));
        assertThat(exchange.exchange().request().has(FieldName.AUTHORIZATION)).isFalse();
        assertThat(exchange.exchange().request().has(FieldName.ACCEPT)).isTrue();
        assertThat(verified("good")).isEqualTo(1);
    }

    @Test
    void remembersATokenWithoutContextAsLongAsItsKeyMayBeAccepted() {
        Route empty = new Route(
                "*/empty",
                "*",
                "/",
                "app",
                Route.Token.REQUIRED,
                null,
                Route.Preflight.FORWARD,
                Duration.ZERO,
                0,
                new ChallengeRule(List.of(), "", ChallengeRule.Context.EMPTY));
        String asked = challenge(empty);
        String credentials = MINT.answer(asked);
        assertThat(asked).doesNotContain("max-age");
        epoch = "other".getBytes(UTF_8);
        clock.advance(Duration.ofDays(2));

        TestExchange exchange = send(empty, "authorization", credentials);

        assertThat(passed(exchange)).isTrue();
        assertThat(redemption(exchange).keyBegan()).isEqualTo(Instant.EPOCH);
        assertThat(redemption(exchange).epoch()).isNotEqualTo(epoch).isNotEmpty();
        assertThat(redemption(exchange).acceptedUntil())
                .isEqualTo(Instant.parse("2026-11-22T00:00:00Z").plus(Duration.ofDays(91)));
        assertRefused(send(REQUIRED, "authorization", credentials), 401, "wrong-challenge");
    }

    @Test
    void refusesWhatTheLedgerKnowsToBeSpentBeforeAnyArithmetic() {
        byte[] forged = MINT.token(encoded(challenge(REQUIRED))).bytes().clone();
        forged[200] ^= 1;
        Token token = Objects.requireNonNull(Token.parse(forged));
        byte[] key = Arrays.copyOf(TokenChallenge.sha256(token.identity()).toArray(), Redemption.KEY_LENGTH);
        AuthSettings settings = AuthSettings.of(List.of(issuer("issuer.example", MINT)));
        KeyRing ring = KeyRing.random();
        auth.close();
        auth = Auth.open(
                settings, ring, registry, clock, new Auth.Memory(() -> epoch, asked -> Arrays.equals(asked, key)));
        channel = channel();
        byte[] challenge = encoded(challenge(REQUIRED));
        Token again = MINT.token(challenge, Arrays.copyOfRange(forged, 2, 34));
        byte[] bad = again.bytes().clone();
        bad[200] ^= 1;

        assertRefused(send(REQUIRED, "authorization", credentials(bad)), 401, "spent");
        assertRefused(send(REQUIRED, "authorization", TokenMint.credentials(again)), 401, "spent");
        assertThat(verified("spent")).isEqualTo(2);
        assertThat(registry.find("postern.token.verify")
                        .tag("result", "invalid")
                        .timer())
                .isNull();
    }

    @Test
    void makesTheSameCredentialAndLedgerKeyOfEverySpelling() {
        Token token = MINT.token(encoded(challenge(REQUIRED)));
        Token again = Token.of(Arrays.copyOf(token.bytes(), 98), MINT.sign(Arrays.copyOf(token.bytes(), 98), 48));
        assertThat(again.bytes()).isNotEqualTo(token.bytes());

        List<TestExchange> exchanges = Stream.of(
                        TokenMint.credentials(token),
                        "privatetoken Token = " + token.encoded() + ", x=y",
                        TokenMint.credentials(again))
                .map(credentials -> send(REQUIRED, "authorization", credentials))
                .toList();

        assertThat(exchanges).allMatch(this::passed);
        assertThat(exchanges.stream().map(e -> credential(e).hex()).distinct()).hasSize(1);
        assertThat(exchanges.stream()
                        .map(e -> List.of(redemption(e).key()[0], redemption(e).key()[15]))
                        .distinct())
                .hasSize(1);
    }

    @Test
    void asksEveryIssuerWithKeyAndAge() {
        clock.advance(Duration.ofSeconds(100));

        TestExchange exchange = send(REQUIRED);

        assertRefused(exchange, 401, "missing");
        List<String> asked = exchange.answered(FieldName.WWW_AUTHENTICATE);
        assertThat(asked).hasSize(2);
        ChallengeField field = first(asked.get(0));
        assertThat(field.maxAge()).isEqualTo(1100);
        assertThat(field.tokenKey()).isEqualTo(MINT.key().encoded());
        TokenChallenge challenge = decoded(field.challenge());
        assertThat(challenge.issuerName()).isEqualTo("issuer.example");
        assertThat(challenge.originInfo()).isEqualTo("gateway.example");
        assertThat(exchange.answered(FieldName.CACHE_CONTROL)).containsExactly("no-store");
        assertThat(exchange.answered(FieldName.PROXY_AUTHENTICATE)).isEmpty();
    }

    @Test
    void speaksOfTheProxyOnAForwardListener() {
        TestExchange refused = TestExchange.get(FORWARD, REQUIRED, channel.eventLoop(), "authorization", "Basic YTpi");
        write(refused);

        assertRefused(refused, 407, "missing");
        String asked = refused.answered(FieldName.PROXY_AUTHENTICATE).get(0);
        assertThat(refused.answered(FieldName.WWW_AUTHENTICATE)).isEmpty();
        TestExchange good = TestExchange.get(
                FORWARD,
                REQUIRED,
                channel.eventLoop(),
                "proxy-authorization",
                MINT.answer(asked),
                "authorization",
                "Basic YTpi");
        assertThat(passed(write(good))).isTrue();
        assertThat(good.exchange().request().has(FieldName.PROXY_AUTHORIZATION)).isFalse();
        assertThat(good.exchange().request().has(FieldName.AUTHORIZATION)).isTrue();
    }

    @Test
    void readsTheFieldThatTheSettingsName() {
        auth.close();
        auth = open("X-Token", "default", issuer("issuer.example", MINT));
        channel = channel();
        String credentials = MINT.answer(challenge(REQUIRED));

        assertRefused(send(REQUIRED, "authorization", credentials), 401, "missing");
        TestExchange good = send(REQUIRED, "x-token", credentials, "authorization", "Bearer theirs");

        assertThat(passed(good)).isTrue();
        assertThat(good.exchange().request().value(FieldName.AUTHORIZATION)).isEqualTo("Bearer theirs");
        assertThat(good.exchange().request().has(FieldName.of("x-token"))).isFalse();
    }

    @Test
    void doesNotLookWhereTheRouteWantsNoToken() {
        TestExchange exchange = send(OFF, "authorization", "PrivateToken nonsense", "authorization", "Basic YTpi");

        assertThat(passed(exchange)).isTrue();
        assertThat(exchange.exchange().request().occurrences(FieldName.AUTHORIZATION))
                .isEqualTo(2);
        assertThat(exchange.exchange().credential()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Basic YTpi", "PrivateToken token=\"AAAB\""})
    void passesWithoutTokenWhereItIsOptional(String credentials) {
        TestExchange exchange = credentials.isEmpty() ? send(OPTIONAL) : send(OPTIONAL, "authorization", credentials);

        assertThat(passed(exchange)).isTrue();
        assertThat(exchange.exchange().credential()).isNull();
        assertThat(exchange.exchange().request().has(FieldName.AUTHORIZATION))
                .isEqualTo(credentials.startsWith("Basic"));
    }

    @Test
    void refusesABadTokenAlsoWhereItIsOptional() {
        byte[] changed = MINT.token(encoded(challenge(REQUIRED))).bytes().clone();
        changed[3] ^= 1;

        assertRefused(send(OPTIONAL, "authorization", credentials(changed)), 401, "wrong-challenge");
        assertRefused(send(OPTIONAL, "authorization", "PrivateToken"), 400, "malformed");
    }

    @Test
    void letsAPreflightPassOnlyWhereTheRouteForwardsIt() {
        String[] fields = {"origin", "https://a.example", "access-control-request-method", "GET"};
        Route refusing =
                new Route("*/", "*", "/", "app", Route.Token.REQUIRED, null, Route.Preflight.REFUSE, Duration.ZERO, 0);

        assertThat(passed(write(TestExchange.of(Method.OPTIONS, REVERSE, REQUIRED, channel.eventLoop(), fields))))
                .isTrue();
        assertThat(passed(write(TestExchange.of(Method.OPTIONS, REVERSE, refusing, channel.eventLoop(), fields))))
                .isFalse();
        assertThat(passed(write(TestExchange.of(Method.GET, REVERSE, REQUIRED, channel.eventLoop(), fields))))
                .isFalse();
        assertThat(passed(write(TestExchange.of(
                        Method.OPTIONS, REVERSE, REQUIRED, channel.eventLoop(), "origin", "https://a.example"))))
                .isFalse();
    }

    /** Changes to a good token for the current challenge, and the reason that the operator reads; the client reads one answer only. */
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
                        "key of nobody",
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
                        (bytes, c) -> answer(c, 2, "issuer.example", new byte[32], "gateway.example")),
                forged(
                        "challenge without context",
                        "wrong-challenge",
                        (bytes, c) -> answer(c, 2, "issuer.example", new byte[0], "gateway.example")),
                forged(
                        "challenge of another issuer",
                        "wrong-challenge",
                        (bytes, c) -> answer(c, 2, "evil.example", null, "gateway.example")),
                forged(
                        "challenge for the second issuer",
                        "unknown-key",
                        (bytes, c) -> answer(c, 2, "other.example", null, "gateway.example")),
                forged(
                        "challenge of another type",
                        "wrong-challenge",
                        (bytes, c) -> answer(c, 1, "issuer.example", null, "gateway.example")),
                forged(
                        "challenge for another origin",
                        "wrong-challenge",
                        (bytes, c) -> answer(c, 2, "issuer.example", null, "evil.example")),
                forged(
                        "challenge for any origin",
                        "wrong-challenge",
                        (bytes, c) -> answer(c, 2, "issuer.example", null, "")),
                forged(
                        "origin in another case",
                        "wrong-challenge",
                        (bytes, c) -> answer(c, 2, "issuer.example", null, "Gateway.example")),
                forged(
                        "challenge with a byte more",
                        "wrong-challenge",
                        (bytes, c) -> MINT.token(Arrays.copyOf(c, c.length + 1)).bytes()),
                forged("type that nobody has made", "unsupported-type", flip.apply(1, 2)),
                forged(
                        "type in the other byte order",
                        "unsupported-type",
                        flip.apply(1, 1).then(flip.apply(0, 1))),
                forged("GREASE type", "grease", flip.apply(1, 1)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("forged")
    void refusesForgedTokensAlikeAndTellsTheOperatorWhy(String what, String reason, Change change) {
        byte[] challenge = encoded(challenge(REQUIRED));
        byte[] good = MINT.token(challenge).bytes();

        TestExchange refused = send(REQUIRED, "authorization", credentials(change.of(good.clone(), challenge)));

        assertRefused(refused, 401, reason);
        assertThat(refused.answered(FieldName.WWW_AUTHENTICATE))
                .isEqualTo(send(REQUIRED).answered(FieldName.WWW_AUTHENTICATE));
        assertThat(refused.exchange().get(Redemption.SLOT)).isNull();
        assertThat(refused.exchange().credential()).isNull();
        // The token that it was made from is still good.
        assertThat(passed(send(REQUIRED, "authorization", credentials(good)))).isTrue();
    }

    @Test
    void refusesSeveralCredentialFieldsAsMalformed() {
        String good = MINT.answer(challenge(REQUIRED));

        assertRefused(send(REQUIRED, "authorization", good, "authorization", good), 400, "malformed");
        assertRefused(send(REQUIRED, "authorization", good, "authorization", "Basic YTpi"), 400, "malformed");
    }

    @Test
    void acceptsTheFirstIssuersAndTheSecondIssuersTokens() {
        TestExchange exchange = send(REQUIRED);
        String second = exchange.answered(FieldName.WWW_AUTHENTICATE).get(1);

        assertThat(passed(send(REQUIRED, "authorization", OTHER_MINT.answer(second))))
                .isTrue();
        assertRefused(send(REQUIRED, "authorization", MINT.answer(second)), 401, "unknown-key");
    }

    @Test
    void refusesATokenOfAnotherRoute() {
        String credentials = MINT.answer(challenge(REQUIRED));

        assertRefused(send(WITH_ROOM, "authorization", credentials), 401, "wrong-challenge");
    }

    @Test
    void refusesATokenOfAnEpochThatIsOver() {
        String credentials = MINT.answer(challenge(REQUIRED));
        epoch = "next".getBytes(UTF_8);

        assertRefused(send(REQUIRED, "authorization", credentials), 401, "wrong-challenge");
        assertThat(passed(send(REQUIRED, "authorization", MINT.answer(challenge(REQUIRED)))))
                .isTrue();
    }

    @Test
    void refusesATokenWhoseWindowsAreOver() {
        String credentials = MINT.answer(challenge(REQUIRED));
        clock.advance(Duration.ofSeconds(1229));
        assertThat(passed(send(REQUIRED, "authorization", credentials))).isTrue();
        clock.advance(Duration.ofSeconds(1));

        assertRefused(send(REQUIRED, "authorization", credentials), 401, "wrong-challenge");
    }

    @Test
    void letsATokenLapseWhereATicketMayVouchForIt() {
        String credentials = MINT.answer(challenge(WITH_ROOM));
        clock.advance(Duration.ofMinutes(30));

        TestExchange exchange = send(WITH_ROOM, "authorization", credentials);

        assertThat(passed(exchange)).isTrue();
        assertThat(credential(exchange).acceptable()).isFalse();
        assertThat(redemption(exchange).acceptedUntil()).isEqualTo(START.plusSeconds(4260));
        assertThat(verified("lapsed")).isEqualTo(1);
        clock.advance(Duration.ofMinutes(41));
        assertRefused(send(WITH_ROOM, "authorization", credentials), 401, "wrong-challenge");
    }

    @ParameterizedTest
    @EnumSource(
            value = Route.Token.class,
            names = {"REQUIRED", "SESSION"})
    void wantsATokenOnEveryRouteThatSaysSo(Route.Token token) {
        assertRefused(send(TestExchange.route("*/", token, null)), 401, "missing");
    }

    @Test
    void saysThatNoKeyIsAtHand() {
        auth.close();
        IssuerSettings unreachable = new IssuerSettings(
                "issuer.example",
                URI.create("http://127.0.0.1:1/directory"),
                Duration.ofHours(1),
                Duration.ZERO,
                List.of(),
                List.of(),
                List.of());
        String credentials = MINT.answer(challenge(REQUIRED));
        auth = open("authorization", "default", unreachable);
        channel = channel();

        TestExchange missing = send(REQUIRED);
        TestExchange unjudged = send(REQUIRED, "authorization", credentials);

        for (TestExchange exchange : List.of(missing, unjudged)) {
            assertThat(passed(exchange)).isFalse();
            assertThat(exchange.status()).isEqualTo(503);
            assertThat(exchange.exchange().outcome().refusal()).isEqualTo(Refusal.KEYS_UNAVAILABLE);
            assertThat(exchange.exchange().outcome().reason()).isEqualTo("no-keys");
            assertThat(exchange.answered(FieldName.RETRY_AFTER)).isNotEmpty();
        }
        assertThat(auth.hasKeys()).isFalse();
    }

    @FunctionalInterface
    private interface Change {

        byte[] of(byte[] token, byte[] challenge);

        default Change then(Change next) {
            return (token, challenge) -> next.of(of(token, challenge), challenge);
        }
    }

    private static Arguments forged(String what, String reason, Change change) {
        return Arguments.of(what, reason, change);
    }

    private static byte[] fill(byte[] bytes, int from, int to, int value) {
        Arrays.fill(bytes, from, to, (byte) value);
        return bytes;
    }

    private static byte[] salted(byte[] bytes, int salt) {
        byte[] signed = Arrays.copyOf(bytes, 98);
        return Token.of(signed, MINT.sign(signed, salt)).bytes();
    }

    private static byte[] answer(byte[] real, int type, String issuer, byte @Nullable [] context, String origins) {
        byte[] own = decoded(real).redemptionContext();
        return MINT.token(new TokenChallenge(type, issuer, context == null ? own : context, origins).encode())
                .bytes();
    }

    private static String credentials(byte[] token) {
        return "PrivateToken token=\"" + Base64Url.encode(token) + "\"";
    }

    private static byte[] encoded(String authenticate) {
        return first(authenticate).challenge();
    }

    private static ChallengeField first(String authenticate) {
        return Objects.requireNonNull(ChallengeField.parse(authenticate)).get(0);
    }

    private static TokenChallenge decoded(byte[] challenge) {
        return Objects.requireNonNull(TokenChallenge.decode(challenge));
    }

    private static Credential credential(TestExchange exchange) {
        return Objects.requireNonNull(exchange.exchange().credential());
    }

    private static Redemption redemption(TestExchange exchange) {
        return Objects.requireNonNull(exchange.exchange().get(Redemption.SLOT));
    }

    private String challenge(Route route) {
        String name = "www-authenticate";
        return send(route).answered(FieldName.of(name)).get(0);
    }

    private TestExchange send(Route route, String... fields) {
        return write(TestExchange.get(REVERSE, route, channel.eventLoop(), fields));
    }

    private TestExchange write(TestExchange exchange) {
        channel.writeInbound(exchange.exchange());
        return exchange;
    }

    private boolean passed(TestExchange exchange) {
        for (Object out = channel.readInbound(); out != null; out = channel.readInbound()) {
            if (out == exchange.exchange()) {
                return true;
            }
        }
        return false;
    }

    private void assertRefused(TestExchange exchange, int status, String reason) {
        assertThat(passed(exchange)).isFalse();
        assertThat(exchange.status()).isEqualTo(status);
        assertThat(exchange.exchange().outcome().reason()).isEqualTo(reason);
    }

    private long verified(String result) {
        return registry.get("postern.token.verify")
                .tags("type", Integer.toString(TokenType.BLIND_RSA.value()), "result", result)
                .timer()
                .count();
    }

    private EmbeddedChannel channel() {
        return new EmbeddedChannel(auth.decoding(), auth.verification());
    }

    private Auth open(String header, String namespace, IssuerSettings... issuers) {
        AuthSettings settings = new AuthSettings(
                namespace,
                AuthSettings.DEFAULT_ORIGIN_NAMES,
                header,
                AuthSettings.DEFAULT_CHALLENGE_WINDOW,
                AuthSettings.DEFAULT_CLOCK_SKEW,
                List.of(issuers),
                AuthSettings.DEFAULT_TOKEN_TYPES);
        return Auth.open(settings, KeyRing.random(), registry, clock, () -> epoch);
    }

    private static IssuerSettings issuer(String name, TokenMint mint) {
        return new IssuerSettings(
                name, null, Duration.ofHours(1), Duration.ZERO, List.of(mint.publicKey()), List.of(), List.of());
    }
}
