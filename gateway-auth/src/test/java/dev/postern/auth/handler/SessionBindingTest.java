package dev.postern.auth.handler;

import static dev.postern.auth.handler.SessionFixture.LIFETIME;
import static dev.postern.auth.handler.SessionFixture.ROUTE;
import static dev.postern.auth.handler.SessionFixture.cookie;
import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.TestExchange;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.ClientBinding;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.RouteTransform;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which cookie is a session: for which route, gateway and client it counts, and under which name. */
class SessionBindingTest {

    private static final String AGENT = "curl/8.5.0";

    private final SessionFixture sessions = new SessionFixture();
    private final SessionFixture.Gateway gateway = sessions.open();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void findsTheSessionByTheNameUnderWhichItWasSet() {
        TestExchange paid = gateway.send(true, "authorization", gateway.token());
        assertThat(gateway.passed(paid)).isTrue();
        String cookie = cookie(paid);
        String plain = cookie.substring("__Host-".length());

        assertThat(gateway.passed(gateway.send(true, "cookie", cookie))).isTrue();
        gateway.assertChallenged(gateway.send(false, "cookie", cookie));
        gateway.assertChallenged(gateway.send(true, "cookie", plain));
        assertThat(gateway.passed(gateway.send(true, "cookie", "postern-session=planted; " + cookie)))
                .as("what another host could set is not read")
                .isTrue();
    }

    @Test
    void acceptsOnlyItsOwnCookies() {
        String cookie = gateway.buy();
        String sealed = cookie.substring(cookie.indexOf('=') + 1);
        char last = sealed.charAt(20) == 'A' ? 'B' : 'A';
        String forged = sealed.substring(0, 20) + last + sealed.substring(21);

        for (String other : List.of(
                "postern-session=" + forged,
                "postern-session=" + sealed + "=",
                "postern-session=",
                "__Host-" + cookie)) {
            gateway.assertChallenged(gateway.send(ROUTE, "cookie", other));
        }
        assertThat(gateway.passes(ROUTE, "cookie", "Postern-Session=" + sealed)).isFalse();
        assertThat(gateway.passes(ROUTE, "cookie", "postern-session=" + forged + "; " + cookie))
                .as("another cookie of the same name may precede ours")
                .isTrue();
    }

    @Test
    void isFoundBehindCookiesOfOtherHosts() {
        String cookie = gateway.buy();
        String sealed = cookie.substring(cookie.indexOf('=') + 1);
        String tossed = "postern-session=x; ".repeat(40)
                + ("postern-session=" + (sealed.charAt(0) == 'A' ? 'B' : 'A') + sealed.substring(1) + "; ").repeat(6);

        assertThat(gateway.passes(ROUTE, "cookie", tossed + cookie)).isTrue();
    }

    @Test
    void isInvalidForOtherRoutes() {
        String cookie = gateway.buy();
        Route other = new Route(
                "*/b",
                "*",
                "/b",
                "app",
                Route.Token.SESSION,
                null,
                Preflight.FORWARD,
                Duration.ZERO,
                0,
                new ChallengeRule(List.of(), "b.example", ChallengeRule.Context.WINDOW),
                RouteTransform.PLAIN,
                MinBodyRate.NONE);
        Route required = TestExchange.route("*/c", Route.Token.REQUIRED, null);
        TestExchange host = TestExchange.get(REVERSE, ROUTE, gateway.loop(), "cookie", cookie);
        host.exchange().request().authority("other.example");
        assertThat(gateway.passes(ROUTE, "cookie", cookie)).as("opened before").isTrue();

        gateway.assertChallenged(gateway.send(other, "cookie", cookie));
        gateway.assertChallenged(gateway.send(required, "cookie", cookie));
        gateway.assertChallenged(gateway.send(host));
        assertThat(gateway.passes(TestExchange.route("*/d", Route.Token.SESSION, null), "cookie", cookie))
                .as("a route with the same rule")
                .isTrue();
    }

    @Test
    void isInvalidForOtherGateways() {
        String cookie = gateway.buy();
        try (SessionFixture.Gateway foreign = open("default", KeyRing.random(), LIFETIME);
                SessionFixture.Gateway space = open("other", sessions.ring, LIFETIME);
                SessionFixture.Gateway brief = open("default", sessions.ring, Duration.ofMinutes(10));
                SessionFixture.Gateway replica = open("default", sessions.ring, LIFETIME)) {
            assertThat(foreign.passes(ROUTE, "cookie", cookie)).isFalse();
            assertThat(space.passes(ROUTE, "cookie", cookie)).isFalse();
            assertThat(brief.passes(ROUTE, "cookie", cookie))
                    .as("longer than the current maximum")
                    .isFalse();
            assertThat(replica.passes(ROUTE, "cookie", cookie)).isTrue();
        }
    }

    private SessionFixture.Gateway open(String namespace, KeyRing ring, Duration lifetime) {
        return sessions.open(namespace, ring, lifetime, ClientBinding.AGENT);
    }

    @Test
    void survivesAChangeOfAddressAndAnUpdateOfTheBrowser() throws UnknownHostException {
        String chrome =
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s Safari/537.36";
        String first = String.format(chrome, "130.0.6723.92");
        String cookie = gateway.buy("user-agent", first);
        assertThat(gateway.passes("127.0.0.1", cookie, first))
                .as("opened before")
                .isTrue();

        for (String address : List.of("192.0.2.1", "198.51.100.77", "2001:db8:7:1::9")) {
            assertThat(gateway.passes(address, cookie, String.format(chrome, "131.0.0.0")))
                    .as(address)
                    .isTrue();
        }
        assertThat(gateway.passes("127.0.0.1", cookie, AGENT))
                .as("another agent")
                .isFalse();
        assertThat(gateway.passes("127.0.0.1", cookie, "")).as("no agent").isFalse();
    }

    @Test
    void isBoundToTheNetworkOnlyWhereConfigured() throws UnknownHostException {
        try (SessionFixture.Gateway bound =
                sessions.open("default", sessions.ring, LIFETIME, ClientBinding.ADDRESS, ClientBinding.AGENT)) {
            String cookie = bound.buy("user-agent", AGENT);

            assertThat(bound.passes("127.0.0.200", cookie, AGENT))
                    .as("the same network")
                    .isTrue();
            assertThat(bound.passes("192.0.2.1", cookie, AGENT)).isFalse();
            assertThat(bound.passes("::1", cookie, AGENT)).isFalse();
            assertThat(gateway.passes("127.0.0.1", cookie, AGENT))
                    .as("sold under another rule")
                    .isFalse();
        }
    }

    @Test
    void isBoundToNothingWhereConfigured() throws UnknownHostException {
        try (SessionFixture.Gateway free = sessions.open("default", sessions.ring, LIFETIME)) {
            String cookie = free.buy("user-agent", AGENT);

            assertThat(free.passes("192.0.2.1", cookie, "Mozilla/5.0")).isTrue();
        }
    }
}
