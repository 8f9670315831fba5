package dev.postern.auth.handler;

import static dev.postern.auth.handler.SessionFixture.ROUTE;
import static dev.postern.auth.handler.SessionFixture.added;
import static dev.postern.auth.handler.SessionFixture.cookie;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.TestExchange;
import dev.postern.core.exchange.Credential;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.Route;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a session on a route with {@code token: session} from its token to its end. */
class SessionLifetimeTest {

    private static final Route OFF = TestExchange.route("*/off", Route.Token.OFF, null);
    private static final FieldName COOKIE = FieldName.COOKIE;

    private final SessionFixture sessions = new SessionFixture();
    private final SessionFixture.Gateway gateway = sessions.open();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void setsASealedCookieForASpentToken() {
        TestExchange paid = gateway.pay();

        assertThat(added(paid, FieldName.SET_COOKIE))
                .singleElement()
                .asString()
                .matches("postern-session=[A-Za-z0-9_-]+; Path=/; Max-Age=1800; HttpOnly; SameSite=Lax");
        assertThat(added(paid, FieldName.CACHE_CONTROL)).containsExactly("no-store");
    }

    @Test
    void marksTheCookieOfAClientWithTlsBehindATrustedProxy() {
        TestExchange paid = gateway.send(true, "authorization", gateway.token());

        assertThat(gateway.passed(paid)).isTrue();
        assertThat(added(paid, FieldName.SET_COOKIE))
                .singleElement()
                .asString()
                .matches("__Host-postern-session=[A-Za-z0-9_-]+; Path=/; Max-Age=1800; Secure; HttpOnly; SameSite=Lax");
    }

    @Test
    void forwardsTheSessionWithoutTokenAndRemovesItsCookie() {
        String cookie = gateway.buy();

        TestExchange exchange = gateway.send(ROUTE, "cookie", "a=b; " + cookie + ";c=d", "cookie", cookie);

        assertThat(gateway.passed(exchange)).isTrue();
        assertThat(exchange.exchange().credential()).isNotNull();
        assertThat(exchange.exchange().request().joined(COOKIE)).isEqualTo("a=b; c=d");
        assertThat(added(exchange, FieldName.SET_COOKIE)).isEmpty();
    }

    @Test
    void removesTheCookieOnEveryRoute() {
        TestExchange exchange =
                gateway.send(OFF, "cookie", "__Host-postern-session=x; a=b; postern-session=y; postern-sessions=z");

        assertThat(gateway.passed(exchange)).isTrue();
        assertThat(exchange.exchange().request().joined(COOKIE)).isEqualTo("a=b; postern-sessions=z");
    }

    @Test
    void spendsNoTokenDuringASession() {
        String cookie = gateway.buy();
        String token = gateway.token();

        TestExchange exchange =
                gateway.send(ROUTE, "cookie", cookie, "authorization", token, "authorization", "Bearer theirs");

        assertThat(gateway.passed(exchange)).isTrue();
        assertThat(exchange.exchange().request().joined(FieldName.AUTHORIZATION))
                .isEqualTo("Bearer theirs");
        assertThat(gateway.passes(ROUTE, "authorization", token)).isTrue();
        assertThat(gateway.passes(ROUTE, "authorization", token)).isFalse();
    }

    @Test
    void requestsOfASessionHaveItsIdAndItsRate() {
        TestExchange paid = gateway.pay();
        Credential bought = Objects.requireNonNull(paid.exchange().credential());
        assertThat(bought.session()).as("the token's own request").isNull();

        TestExchange exchange = gateway.send(ROUTE, "cookie", cookie(paid));

        Credential session = Objects.requireNonNull(exchange.exchange().credential());
        assertThat(session.hex()).isEqualTo(bought.hex());
        assertThat(session.session()).isEqualTo(new Credential.Session(SessionFixture.RATE));
    }

    @Test
    void endsAfterItsLifetimeDespiteUse() {
        String cookie = gateway.buy();
        sessions.clock.advance(SessionFixture.LIFETIME.minusMillis(1));
        assertThat(gateway.passes(ROUTE, "cookie", cookie)).isTrue();

        sessions.clock.advance(Duration.ofMillis(1));

        gateway.assertChallenged(gateway.send(ROUTE, "cookie", cookie));
    }

    @Test
    void refundsTheTokenOnlyWithoutASession() {
        String lost = gateway.token();
        TestExchange gone = gateway.send(ROUTE, "authorization", lost);
        assertThat(gateway.passed(gone)).isTrue();
        gone.exchange().end();
        assertThat(gateway.passes(ROUTE, "authorization", lost))
                .as("no response was sent")
                .isTrue();

        String sold = gateway.token();
        TestExchange failed = gateway.send(ROUTE, "authorization", sold);
        assertThat(gateway.passed(failed)).isTrue();
        failed.exchange().outcome().status(502);
        failed.exchange().end();
        assertThat(gateway.passes(ROUTE, "authorization", sold))
                .as("the cookie was sent")
                .isFalse();
    }
}
