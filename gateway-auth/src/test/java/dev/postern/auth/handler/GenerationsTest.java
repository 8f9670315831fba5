package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.AuthGeneration;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.core.route.RoutingSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that each exchange keeps the rules of its configuration while other rules come into force. */
class GenerationsTest extends TokenStageFixture {

    private AuthGeneration reportOnly() {
        List<IssuerSettings> issuers = auth.current().basis().settings().issuers();
        return auth.prepare(new TestSettings().reportOnly().of(issuers.toArray(IssuerSettings[]::new)), false);
    }

    private TestExchange under(AuthGeneration generation) {
        TestExchange exchange = TestExchange.get(REVERSE, REQUIRED, channel.eventLoop());
        RoutingSnapshot.of(List.of()).with(generation).rule(exchange.exchange());
        return write(exchange);
    }

    @Test
    void equalSettingsAreTheSameGeneration() {
        assertThat(auth.prepare(auth.current().basis().settings(), false)).isSameAs(auth.current());
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
