package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.AuthGeneration;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.RoutingSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that each exchange keeps the rules of its configuration while other rules come into force. */
class GenerationsTest extends TokenStageFixture {

    private static final KeyRing RING = KeyRing.random();

    private AuthGeneration reportOnly() {
        List<IssuerSettings> issuers = auth.current().basis().settings().issuers();
        return auth.prepare(new AuthGeneration.Basis(
                new TestSettings().reportOnly().of(issuers.toArray(IssuerSettings[]::new)), false, RING));
    }

    @Test
    void equalSettingsAreTheSameGeneration() {
        assertThat(auth.prepare(auth.current().basis())).isSameAs(auth.current());
    }

    private AuthGeneration with(String... lines) {
        return auth.prepare(
                new AuthGeneration.Basis(auth.current().basis().settings(), false, KeyRing.of(List.of(lines))));
    }

    private String token(AuthGeneration generation) {
        String challenge =
                under(generation).responded(FieldName.of("www-authenticate")).get(0);
        return MINT.response(challenge);
    }

    private TestExchange under(AuthGeneration generation, String... fields) {
        TestExchange exchange = TestExchange.get(REVERSE, REQUIRED, channel.eventLoop(), fields);
        RoutingSnapshot.of(List.of()).with(generation).rule(exchange.exchange());
        return write(exchange);
    }

    @Test
    void anotherRingAcceptsTheChallengesOfItsOlderSecrets() {
        String old = KeyRing.newLine();
        String fresh = KeyRing.newLine();
        AuthGeneration first = with(old);
        auth.take(first);
        String early = token(first);
        String spare = token(first);

        AuthGeneration promoted = with(fresh, old);
        assertThat(promoted).isNotSameAs(first);
        assertThat(promoted.keys()).as("of the issuers").isSameAs(first.keys());
        auth.take(promoted);
        assertThat(passed(under(promoted, "authorization", early))).isTrue();
        String late = token(promoted);
        auth.take(with(fresh));
        assertThat(passed(under(auth.current(), "authorization", late))).isTrue();
        assertRefused(under(auth.current(), "authorization", spare), 401, "wrong-challenge");
    }

    @Test
    void anExchangeKeepsTheRulesOfItsConfiguration() {
        AuthGeneration strict = auth.current();
        AuthGeneration lenient = reportOnly();

        assertThat(passed(under(lenient))).isTrue();
        assertThat(under(strict).status()).isEqualTo(401);
        auth.take(lenient);
        assertThat(under(strict).status()).isEqualTo(401);
        assertThat(passed(under(lenient))).isTrue();
        assertThat(passed(send(REQUIRED)))
                .as("an exchange without a configuration")
                .isTrue();
    }
}
