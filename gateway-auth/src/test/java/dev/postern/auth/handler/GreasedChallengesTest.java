package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.FORWARD;
import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.Auth;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.Route;
import dev.postern.core.testing.ManualClock;
import dev.postern.core.testing.StageChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.URI;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests GREASE challenges on reverse and forward listeners, and without a real challenge. */
class GreasedChallengesTest {

    /** Enough that one response of four with GREASE certainly occurs. */
    private static final int MANY = 200;

    private static final TokenMint MINT = TokenMint.shared();
    private static final Route ROUTE = TestExchange.route("*/", Route.Token.REQUIRED, null);

    @Test
    void followsTheFieldOfTheModeOfTheRealChallenge() {
        assertThat(responses(REVERSE, FieldName.WWW_AUTHENTICATE, withKey())).containsOnly(1, 2);
        assertThat(responses(FORWARD, FieldName.PROXY_AUTHENTICATE, withKey())).containsOnly(1, 2);
    }

    @Test
    void isAbsentWithoutARealChallenge() {
        assertThat(responses(REVERSE, FieldName.WWW_AUTHENTICATE, withoutKey())).containsOnly(0);
    }

    /** Returns the numbers of challenges in many responses; the real one is in each unless there is no key. */
    private static Set<Integer> responses(ListenerInfo listener, FieldName field, IssuerSettings issuer) {
        Set<Integer> numbers = new HashSet<>();
        Set<String> real = new HashSet<>();
        try (Auth auth = open(issuer)) {
            EmbeddedChannel channel = StageChannel.of(auth.decoding());
            for (int i = 0; i < MANY; i++) {
                TestExchange exchange = TestExchange.get(listener, ROUTE, channel.eventLoop());
                channel.writeInbound(exchange.exchange());
                List<String> challenges = exchange.responded(field);
                numbers.add(challenges.size());
                challenges.stream().filter(c -> c.contains(MINT.publicKey())).forEach(real::add);
                assertThat(challenges.stream()
                                .filter(c -> c.contains("max-age"))
                                .count())
                        .isEqualTo(Math.min(1, challenges.size()));
            }
            channel.finishAndReleaseAll();
        }
        assertThat(real).as("the real challenge, whatever the others").hasSizeLessThan(2);
        return numbers;
    }

    private static IssuerSettings withKey() {
        return TestSettings.issuerWithKeys("issuer.example", MINT.publicKey());
    }

    private static IssuerSettings withoutKey() {
        return TestSettings.issuer("issuer.example", URI.create("http://127.0.0.1:1/"));
    }

    private static Auth open(IssuerSettings issuer) {
        return Auth.open(
                new TestSettings().grease().of(issuer),
                TestSettings.environment(
                        KeyRing.random(),
                        new SimpleMeterRegistry(),
                        new ManualClock(Instant.parse("2026-11-20T12:00:00Z")),
                        () -> new byte[16]));
    }
}
