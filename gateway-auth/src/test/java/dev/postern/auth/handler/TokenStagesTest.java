package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.FORWARD;
import static dev.postern.auth.testing.TestExchange.REVERSE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.Auth;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Credential;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.testing.TestRoute;
import io.netty.util.concurrent.Ticker;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the identify and verify stages with valid tokens, and with requests without tokens. */
class TokenStagesTest extends TokenStageFixture {

    @Test
    void forwardsAValidTokenWithCredentialAndRedemption() {
        String credentials = MINT.response(challenge(REQUIRED));

        TestExchange exchange = send(REQUIRED, "authorization", credentials, "accept", "text/html");

        assertThat(passed(exchange)).isTrue();
        Credential credential = exchange.exchange().credential();
        assertThat(credential).isNotNull();
        assertThat(credential.acceptable()).isTrue();
        Redemption redemption = exchange.exchange().get(Redemption.KEY);
        assertThat(redemption).isNotNull();
        assertThat(redemption.key()).hasSize(16).isNotEqualTo(credential.id());
        assertThat(redemption.acceptedUntil()).isEqualTo(START.plusSeconds(1260));
        assertThat(exchange.exchange().request().has(FieldName.AUTHORIZATION)).isFalse();
        assertThat(exchange.exchange().request().has(FieldName.ACCEPT)).isTrue();
        assertThat(verified("good")).isEqualTo(1);
    }

    @Test
    void keepsATokenWithoutContextForTheLifetimeOfItsKey() {
        Route empty = new Route(
                "*/empty",
                "*",
                "/",
                "app",
                Route.Token.REQUIRED,
                null,
                Preflight.FORWARD,
                Duration.ZERO,
                0,
                new ChallengeRule(List.of(), "", ChallengeRule.Context.EMPTY),
                RouteTransform.PLAIN,
                MinBodyRate.NONE);
        String challenges = challenge(empty);
        String credentials = MINT.response(challenges);
        assertThat(challenges).doesNotContain("max-age");
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
    void refusesKnownSpentTokensBeforeVerification() {
        byte[] forged = MINT.token(encoded(challenge(REQUIRED))).bytes().clone();
        forged[200] ^= 1;
        Token token = Objects.requireNonNull(Token.parse(forged));
        byte[] key = Arrays.copyOf(TokenChallenge.sha256(token.identity()).toArray(), Redemption.KEY_LENGTH);
        KeyRing ring = KeyRing.random();
        auth.close();
        auth = Auth.open(
                new TestSettings().of(issuer("issuer.example", MINT)),
                new Auth.Environment(
                        "default",
                        false,
                        ring,
                        registry,
                        clock,
                        Ticker.systemTicker(),
                        new Auth.Memory(() -> epoch, challenges -> Arrays.equals(challenges, key))));
        channel = channel();
        byte[] challenge = encoded(challenge(REQUIRED));
        Token repeated = MINT.token(challenge, Arrays.copyOfRange(forged, 2, 34));
        byte[] bad = repeated.bytes().clone();
        bad[200] ^= 1;

        assertRefused(send(REQUIRED, "authorization", credentials(bad)), 401, "spent");
        assertRefused(send(REQUIRED, "authorization", TokenMint.credentials(repeated)), 401, "spent");
        assertThat(verified("spent")).isEqualTo(2);
        assertThat(verified("invalid")).isZero();
    }

    @Test
    void derivesTheSameKeyFromEveryEncoding() {
        Token token = MINT.token(encoded(challenge(REQUIRED)));
        Token repeated = Token.of(Arrays.copyOf(token.bytes(), 98), MINT.sign(Arrays.copyOf(token.bytes(), 98), 48));
        assertThat(repeated.bytes()).isNotEqualTo(token.bytes());

        List<TestExchange> exchanges = Stream.of(
                        TokenMint.credentials(token),
                        "privatetoken Token = " + token.encoded() + ", x=y",
                        TokenMint.credentials(repeated))
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
    void challengesWithKeyAndMaxAgeOfEveryIssuer() {
        clock.advance(Duration.ofSeconds(100));

        TestExchange exchange = send(REQUIRED);

        assertRefused(exchange, 401, "missing");
        List<String> challenges = exchange.responded(FieldName.WWW_AUTHENTICATE);
        assertThat(challenges).hasSize(2);
        ChallengeField field = first(challenges.get(0));
        assertThat(field.maxAge()).isEqualTo(1100);
        assertThat(field.tokenKey()).isEqualTo(MINT.key().encoded());
        TokenChallenge challenge = decoded(field.challenge());
        assertThat(challenge.issuerName()).isEqualTo("issuer.example");
        assertThat(challenge.originInfo()).isEqualTo("gateway.example");
        assertThat(exchange.responded(FieldName.CACHE_CONTROL)).containsExactly("no-store");
        assertThat(exchange.responded(FieldName.PROXY_AUTHENTICATE)).isEmpty();
    }

    @Test
    void usesProxyFieldsOnForwardListeners() {
        TestExchange refused = TestExchange.get(FORWARD, REQUIRED, channel.eventLoop(), "authorization", "Basic YTpi");
        write(refused);

        assertRefused(refused, 407, "missing");
        String challenges = refused.responded(FieldName.PROXY_AUTHENTICATE).get(0);
        assertThat(refused.responded(FieldName.WWW_AUTHENTICATE)).isEmpty();
        TestExchange good = TestExchange.get(
                FORWARD,
                REQUIRED,
                channel.eventLoop(),
                "proxy-authorization",
                MINT.response(challenges),
                "authorization",
                "Basic YTpi");
        assertThat(passed(write(good))).isTrue();
        assertThat(good.exchange().request().has(FieldName.PROXY_AUTHORIZATION)).isFalse();
        assertThat(good.exchange().request().has(FieldName.AUTHORIZATION)).isTrue();
    }

    @Test
    void readsTheConfiguredField() {
        auth.close();
        auth = open("x-token", "default", issuer("issuer.example", MINT));
        channel = channel();
        String credentials = MINT.response(challenge(REQUIRED));

        assertRefused(send(REQUIRED, "authorization", credentials), 401, "missing");
        TestExchange good = send(REQUIRED, "x-token", credentials, "authorization", "Bearer theirs");

        assertThat(passed(good)).isTrue();
        assertThat(good.exchange().request().value(FieldName.AUTHORIZATION)).isEqualTo("Bearer theirs");
        assertThat(good.exchange().request().has(FieldName.of("x-token"))).isFalse();
    }

    @Test
    void doesNotDecodeTokensOnRoutesWithoutARule() {
        TestExchange exchange = send(OFF, "authorization", "PrivateToken nonsense", "authorization", "Basic YTpi");

        assertThat(passed(exchange)).isTrue();
        assertThat(exchange.exchange().request().occurrences(FieldName.AUTHORIZATION))
                .isEqualTo(1);
        assertThat(exchange.exchange().request().value(FieldName.AUTHORIZATION)).isEqualTo("Basic YTpi");
        assertThat(exchange.exchange().credential()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Basic YTpi", "PrivateToken token=\"AAAB\""})
    void forwardsWithoutTokenWhereItIsOptional(String credentials) {
        TestExchange exchange = credentials.isEmpty() ? send(OPTIONAL) : send(OPTIONAL, "authorization", credentials);

        assertThat(passed(exchange)).isTrue();
        assertThat(exchange.exchange().credential()).isNull();
        assertThat(exchange.exchange().request().has(FieldName.AUTHORIZATION))
                .isEqualTo(credentials.startsWith("Basic"));
    }

    @Test
    void refusesAnInvalidTokenAlsoWhereItIsOptional() {
        byte[] changed = MINT.token(encoded(challenge(REQUIRED))).bytes().clone();
        changed[3] ^= 1;

        assertRefused(send(OPTIONAL, "authorization", credentials(changed)), 401, "wrong-challenge");
        assertRefused(send(OPTIONAL, "authorization", "PrivateToken"), 400, "malformed");
    }

    @Test
    void forwardsPreflightsOnlyWhereTheRouteDoes() {
        String[] fields = {"origin", "https://a.example", "access-control-request-method", "GET"};
        Route refusing =
                TestRoute.of("*/", "*", "/", "app", Route.Token.REQUIRED, null, Preflight.REFUSE, Duration.ZERO, 0);

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

    @Test
    void acceptsALapsedTokenWhereATicketMayCoverIt() {
        String credentials = MINT.response(challenge(WITH_ROOM));
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
    void requiresATokenOnRoutesWithARule(Route.Token token) {
        assertRefused(send(TestExchange.route("*/", token, null)), 401, "missing");
    }

    @Test
    void refusesWithoutAKey() {
        auth.close();
        IssuerSettings unreachable = TestSettings.issuer("issuer.example", URI.create("http://127.0.0.1:1/directory"));
        String credentials = MINT.response(challenge(REQUIRED));
        auth = open("authorization", "default", unreachable);
        channel = channel();

        TestExchange missing = send(REQUIRED);
        TestExchange unjudged = send(REQUIRED, "authorization", credentials);

        for (TestExchange exchange : List.of(missing, unjudged)) {
            assertThat(passed(exchange)).isFalse();
            assertThat(exchange.status()).isEqualTo(503);
            assertThat(exchange.exchange().outcome().refusal()).isEqualTo(Refusal.KEYS_UNAVAILABLE);
            assertThat(exchange.exchange().outcome().reason()).isEqualTo("no-keys");
            assertThat(exchange.responded(FieldName.RETRY_AFTER)).isNotEmpty();
        }
        assertThat(auth.hasKeys()).isFalse();
    }
}
