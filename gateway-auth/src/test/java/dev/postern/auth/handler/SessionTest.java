package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.Auth;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.embedded.EmbeddedLedger;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.testing.ManualClock;
import dev.postern.core.testing.StageChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests sessions on routes with {@code token: session}, and which cookies are accepted. */
class SessionTest {

    private static final Route ROUTE = TestExchange.route("*/", Route.Token.SESSION, null);
    private static final Route OFF = TestExchange.route("*/off", Route.Token.OFF, null);
    private static final FieldName COOKIE = FieldName.COOKIE;
    private static final TokenMint MINT = TokenMint.shared();

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T12:00:00Z"));
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EmbeddedLedger ledger = EmbeddedLedger.open(
            LedgerSettings.ofEmbedded(),
            new LedgerEnvironment("test", registry, clock, Ticker.systemTicker(), List.of()));
    private final KeyRing ring = KeyRing.random();
    private final Auth auth = open("default", ring, Duration.ofMinutes(30));
    private final EmbeddedChannel channel = channel(auth);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        auth.close();
    }

    @Test
    void setsASealedCookieForASpentToken() {
        TestExchange paid = send(ROUTE, "authorization", MINT.response(challenge()));

        assertThat(passed(paid)).isTrue();
        assertThat(added(paid, FieldName.SET_COOKIE))
                .singleElement()
                .asString()
                .matches("postern-session=[A-Za-z0-9_-]+; Path=/; Max-Age=1800; HttpOnly; SameSite=Lax");
        assertThat(added(paid, FieldName.CACHE_CONTROL)).containsExactly("no-store");
    }

    @Test
    void marksTheCookieOfAClientWithTlsBehindATrustedProxy() {
        TestExchange paid = send(true, "authorization", MINT.response(challenge()));

        assertThat(passed(paid)).isTrue();
        assertThat(added(paid, FieldName.SET_COOKIE))
                .singleElement()
                .asString()
                .matches("__Host-postern-session=[A-Za-z0-9_-]+; Path=/; Max-Age=1800; Secure; HttpOnly; SameSite=Lax");
    }

    @Test
    void findsTheSessionByTheNameUnderWhichItWasSet() {
        TestExchange paid = send(true, "authorization", MINT.response(challenge()));
        assertThat(passed(paid)).isTrue();
        String cookie = added(paid, FieldName.SET_COOKIE).get(0).split(";")[0];
        String plain = cookie.substring("__Host-".length());

        assertThat(passed(send(true, "cookie", cookie))).isTrue();
        assertChallenged(send(false, "cookie", cookie));
        assertChallenged(send(true, "cookie", plain));
        assertThat(passed(send(true, "cookie", "postern-session=planted; " + cookie)))
                .as("what another host could set is not read")
                .isTrue();
    }

    @Test
    void forwardsTheSessionWithoutTokenAndRemovesItsCookie() {
        String cookie = buy();

        TestExchange exchange = send(ROUTE, "cookie", "a=b; " + cookie + ";c=d", "cookie", cookie);

        assertThat(passed(exchange)).isTrue();
        assertThat(exchange.exchange().credential()).isNotNull();
        assertThat(exchange.exchange().request().joined(COOKIE)).isEqualTo("a=b; c=d");
        assertThat(added(exchange, FieldName.SET_COOKIE)).isEmpty();
    }

    @Test
    void spendsNoTokenDuringASession() {
        String cookie = buy();
        String token = MINT.response(challenge());

        TestExchange exchange = send(ROUTE, "cookie", cookie, "authorization", token, "authorization", "Bearer theirs");

        assertThat(passed(exchange)).isTrue();
        assertThat(exchange.exchange().request().joined(FieldName.AUTHORIZATION))
                .isEqualTo("Bearer theirs");
        assertThat(passed(send(ROUTE, "authorization", token))).isTrue();
        assertThat(passed(send(ROUTE, "authorization", token))).isFalse();
    }

    @Test
    void acceptsOnlyItsOwnCookies() {
        String cookie = buy();
        String sealed = cookie.substring(cookie.indexOf('=') + 1);
        char last = sealed.charAt(20) == 'A' ? 'B' : 'A';
        String forged = sealed.substring(0, 20) + last + sealed.substring(21);

        assertChallenged(send(ROUTE, "cookie", "postern-session=" + forged));
        assertChallenged(send(ROUTE, "cookie", "postern-session=" + sealed + "="));
        assertChallenged(send(ROUTE, "cookie", "postern-session="));
        assertThat(passed(send(ROUTE, "cookie", "Postern-Session=" + sealed))).isFalse();
        assertChallenged(send(ROUTE, "cookie", "__Host-" + cookie));
        assertThat(passed(send(ROUTE, "cookie", "postern-session=" + forged + "; " + cookie)))
                .as("another cookie of the same name may precede ours")
                .isTrue();
    }

    @Test
    void endsAfterItsLifetimeDespiteUse() {
        String cookie = buy();
        clock.advance(Duration.ofMillis(1_799_999));
        assertThat(passed(send(ROUTE, "cookie", cookie))).isTrue();

        clock.advance(Duration.ofMillis(1));

        assertChallenged(send(ROUTE, "cookie", cookie));
    }

    @Test
    void isInvalidForOtherRoutesAndSettings() {
        String cookie = buy();
        Route other = new Route(
                "*/b",
                "*",
                "/b",
                "app",
                Route.Token.SESSION,
                null,
                Route.Preflight.FORWARD,
                Duration.ZERO,
                0,
                new ChallengeRule(List.of(), "b.example", ChallengeRule.Context.WINDOW),
                RouteTransform.PLAIN,
                MinBodyRate.NONE);
        Route required = TestExchange.route("*/c", Route.Token.REQUIRED, null);
        TestExchange elsewhere = TestExchange.get(REVERSE, ROUTE, channel.eventLoop(), "cookie", cookie);
        elsewhere.exchange().clientAddress(address("192.0.2.1"));
        TestExchange host = TestExchange.get(REVERSE, ROUTE, channel.eventLoop(), "cookie", cookie);
        host.exchange().request().authority("other.example");

        assertChallenged(send(other, "cookie", cookie));
        assertChallenged(send(required, "cookie", cookie));
        assertChallenged(write(channel, elsewhere));
        assertChallenged(write(channel, host));
        assertThat(passed(send(TestExchange.route("*/d", Route.Token.SESSION, null), "cookie", cookie)))
                .as("a route with the same rule")
                .isTrue();
        try (Auth foreign = open("default", KeyRing.random(), Duration.ofMinutes(30));
                Auth space = open("other", ring, Duration.ofMinutes(30));
                Auth brief = open("default", ring, Duration.ofMinutes(10));
                Auth replica = open("default", ring, Duration.ofMinutes(30))) {
            assertThat(passes(foreign, cookie)).isFalse();
            assertThat(passes(space, cookie)).isFalse();
            assertThat(passes(brief, cookie))
                    .as("longer than the current maximum")
                    .isFalse();
            assertThat(passes(replica, cookie)).isTrue();
        }
    }

    @Test
    void removesTheCookieOnEveryRoute() {
        TestExchange exchange =
                send(OFF, "cookie", "__Host-postern-session=x; a=b; postern-session=y; postern-sessions=z");

        assertThat(passed(exchange)).isTrue();
        assertThat(exchange.exchange().request().joined(COOKIE)).isEqualTo("a=b; postern-sessions=z");
    }

    @Test
    void refundsTheTokenOnlyWithoutASession() {
        String lost = MINT.response(challenge());
        TestExchange gone = send(ROUTE, "authorization", lost);
        assertThat(passed(gone)).isTrue();
        gone.exchange().end();
        assertThat(passed(send(ROUTE, "authorization", lost)))
                .as("no response was sent")
                .isTrue();

        String sold = MINT.response(challenge());
        TestExchange failed = send(ROUTE, "authorization", sold);
        assertThat(passed(failed)).isTrue();
        failed.exchange().outcome().status(502);
        failed.exchange().end();
        assertThat(passed(send(ROUTE, "authorization", sold)))
                .as("the cookie was sent")
                .isFalse();
    }

    private String buy() {
        TestExchange paid = send(ROUTE, "authorization", MINT.response(challenge()));
        assertThat(passed(paid)).isTrue();
        return added(paid, FieldName.SET_COOKIE).get(0).split(";")[0];
    }

    private String challenge() {
        return send(ROUTE).responded(FieldName.WWW_AUTHENTICATE).get(0);
    }

    private static List<String> added(TestExchange exchange, FieldName name) {
        List<String> values = new ArrayList<>();
        exchange.exchange().responseFields().stream()
                .filter(f -> f.name().equals(name))
                .forEach(f -> values.add(f.value()));
        return values;
    }

    private void assertChallenged(TestExchange exchange) {
        assertThat(passed(exchange)).isFalse();
        assertThat(exchange.status()).isEqualTo(401);
        assertThat(exchange.exchange().request().has(COOKIE)).isFalse();
    }

    private TestExchange send(Route route, String... fields) {
        return write(channel, TestExchange.get(REVERSE, route, channel.eventLoop(), fields));
    }

    /** @param secure whether the client uses TLS to a trusted proxy; the connection of the exchange is without TLS */
    private TestExchange send(boolean secure, String... fields) {
        TestExchange exchange = TestExchange.get(REVERSE, ROUTE, channel.eventLoop(), fields);
        exchange.exchange().clientScheme(secure ? "https" : "http");
        return write(channel, exchange);
    }

    private static TestExchange write(EmbeddedChannel channel, TestExchange exchange) {
        channel.writeInbound(exchange.exchange());
        return exchange;
    }

    private boolean passed(TestExchange exchange) {
        return passed(channel, exchange);
    }

    private boolean passes(Auth auth, String cookie) {
        EmbeddedChannel its = channel(auth);
        try {
            return passed(its, write(its, TestExchange.get(REVERSE, ROUTE, its.eventLoop(), "cookie", cookie)));
        } finally {
            its.finishAndReleaseAll();
        }
    }

    private static boolean passed(EmbeddedChannel channel, TestExchange exchange) {
        for (Object out = channel.readInbound(); out != null; out = channel.readInbound()) {
            if (out == exchange.exchange()) {
                return true;
            }
        }
        return false;
    }

    private EmbeddedChannel channel(Auth auth) {
        return StageChannel.of(
                auth.decoding(),
                auth.verification(),
                new SpendStage(
                        ledger,
                        auth.challenger(),
                        LedgerSettings.ofEmbedded(),
                        new SpendMeters(registry),
                        auth.terms(),
                        Ticker.systemTicker()));
    }

    private Auth open(String namespace, KeyRing ring, Duration lifetime) {
        return Auth.open(
                new TestSettings()
                        .sessionLifetime(lifetime)
                        .of(TestSettings.issuerWithKeys("issuer.example", MINT.publicKey())),
                new Auth.Environment(
                        namespace,
                        true,
                        ring,
                        registry,
                        clock,
                        Ticker.systemTicker(),
                        new Auth.Memory(ledger::epoch, key -> false)));
    }

    private static java.net.InetAddress address(String text) {
        try {
            return java.net.InetAddress.getByName(text);
        } catch (java.net.UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
