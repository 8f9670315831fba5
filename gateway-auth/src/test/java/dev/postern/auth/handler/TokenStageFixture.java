package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.Auth;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Credential;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.Route;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ManualClock;
import dev.postern.core.testing.StageChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the identify and verify stages with real keys and without a socket. */
@ExtendWith(LeakExtension.class)
abstract class TokenStageFixture {

    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    static final Route REQUIRED = TestExchange.route("*/", Route.Token.REQUIRED, null);
    static final Route WITH_ROOM = TestExchange.route("*/room", Route.Token.REQUIRED, "site");
    static final Route OPTIONAL = TestExchange.route("*/optional", Route.Token.OPTIONAL, null);
    static final Route OFF = TestExchange.route("*/off", Route.Token.OFF, null);
    static final TokenMint MINT = TokenMint.shared();
    static final TokenMint OTHER_MINT = TokenMint.fresh();

    final ManualClock clock = new ManualClock(START);
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    byte[] epoch = "epoch".getBytes(UTF_8);
    Auth auth = open("authorization", "default", issuer("issuer.example", MINT), issuer("other.example", OTHER_MINT));
    EmbeddedChannel channel = channel();

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        auth.close();
    }

    static String credentials(byte[] token) {
        return "PrivateToken token=\"" + Base64Url.encode(token) + "\"";
    }

    static byte[] encoded(String authenticate) {
        return first(authenticate).challenge();
    }

    static ChallengeField first(String authenticate) {
        return Objects.requireNonNull(ChallengeField.parse(authenticate)).get(0);
    }

    static TokenChallenge decoded(byte[] challenge) {
        return Objects.requireNonNull(TokenChallenge.decode(challenge));
    }

    static Credential credential(TestExchange exchange) {
        return Objects.requireNonNull(exchange.exchange().credential());
    }

    static Redemption redemption(TestExchange exchange) {
        return Objects.requireNonNull(exchange.exchange().get(Redemption.KEY));
    }

    final String challenge(Route route) {
        String name = "www-authenticate";
        return send(route).responded(FieldName.of(name)).get(0);
    }

    final TestExchange send(Route route, String... fields) {
        return write(TestExchange.get(REVERSE, route, channel.eventLoop(), fields));
    }

    final TestExchange write(TestExchange exchange) {
        channel.writeInbound(exchange.exchange());
        return exchange;
    }

    final boolean passed(TestExchange exchange) {
        for (Object out = channel.readInbound(); out != null; out = channel.readInbound()) {
            if (out == exchange.exchange()) {
                return true;
            }
        }
        return false;
    }

    final void assertRefused(TestExchange exchange, int status, String reason) {
        assertThat(passed(exchange)).isFalse();
        assertThat(exchange.status()).isEqualTo(status);
        assertThat(exchange.exchange().outcome().reason()).isEqualTo(reason);
    }

    final long verified(String result) {
        return auth.verifications()
                .of(Integer.toString(TokenType.BLIND_RSA.value()), result)
                .count();
    }

    final EmbeddedChannel channel() {
        return StageChannel.of(auth.decoding(), auth.verification());
    }

    final Auth open(String header, String namespace, IssuerSettings... issuers) {
        return Auth.open(
                new TestSettings().tokenHeader(header).of(issuers),
                TestSettings.environment(namespace, KeyRing.random(), registry, clock, () -> epoch));
    }

    static IssuerSettings issuer(String name, TokenMint mint) {
        return TestSettings.issuerWithKeys(name, mint.publicKey());
    }
}
