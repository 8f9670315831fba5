package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.FORWARD;
import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.budget.DeprioritizedVerification;
import dev.postern.auth.budget.FailureBudget;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.token.TokenType;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.rate.Gcra;
import dev.postern.core.route.Route;
import dev.postern.core.testing.StageChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests tokens that the gateway does not spend: no upstream receives one, since it could spend the token. */
class UnspentTokensTest {

    private static final Route OFF = TestExchange.route("*/", Route.Token.OFF, null);
    private static final Route OPTIONAL = TestExchange.route("*/", Route.Token.OPTIONAL, null);
    private static final Route REQUIRED = TestExchange.route("*/", Route.Token.REQUIRED, null);
    private static final FieldName OWN = FieldName.of("x-token");

    private final List<EmbeddedChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    private EmbeddedChannel channel(FieldName tokenHeader) {
        DeprioritizedVerification verification = new DeprioritizedVerification(
                new FailureBudget(Gcra.of(1, TimeUnit.HOURS.toMicros(1), 0), 1), new SimpleMeterRegistry());
        EmbeddedChannel channel = StageChannel.of(new TokenDecodingStage(
                tokenHeader,
                List.of(TokenType.BLIND_RSA),
                (exchange, reason) -> exchange.refuse(Refusal.TOKEN_REQUIRED),
                Enforcement.STRICT,
                verification,
                null));
        channels.add(channel);
        return channel;
    }

    private RequestHead forwarded(FieldName tokenHeader, ListenerInfo listener, Route route, String... fields) {
        return forwarded(tokenHeader, listener, route, Method.GET, fields);
    }

    private RequestHead forwarded(
            FieldName tokenHeader, ListenerInfo listener, Route route, Method method, String... fields) {
        EmbeddedChannel channel = channel(tokenHeader);
        TestExchange exchange = TestExchange.of(method, listener, route, channel.eventLoop(), fields);
        channel.writeInbound(exchange.exchange());
        assertThat(channel.<Object>readInbound()).as("forwarded").isSameAs(exchange.exchange());
        return exchange.exchange().request();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "PrivateToken token=\"abc\" | -",
                "privatetoken token=abc | -",
                "PRIVATETOKEN   token=abc, other=\"a, b\" | -",
                "PrivateToken | -",
                "PrivateToken not even one | -",
                "Basic dTpw | Basic dTpw",
                "Bearer a.b.c | Bearer a.b.c",
                "PrivateTokens token=abc | PrivateTokens token=abc",
                "Digest username=\"PrivateToken, x\", uri=\"/\" | Digest username=\"PrivateToken, x\", uri=\"/\"",
                "Basic dTpw, PrivateToken token=\"abc\" | Basic dTpw",
                "PrivateToken token=\"a, b\", Basic dTpw | Basic dTpw",
                "Digest a=b, c=d, PrivateToken token=abc, e=f, Basic dTpw | Digest a=b, c=d, Basic dTpw",
            })
    void areRemovedWithoutATokenRule(String value, String left) {
        assertThat(forwarded(FieldName.AUTHORIZATION, REVERSE, OFF, "Authorization", value)
                        .value(FieldName.AUTHORIZATION))
                .isEqualTo(left);
    }

    @Test
    void areRemovedFromEachField() {
        RequestHead head = forwarded(
                FieldName.AUTHORIZATION,
                REVERSE,
                OFF,
                "Authorization",
                "PrivateToken token=a",
                "Authorization",
                "Basic dTpw",
                "authorization",
                "PrivateToken token=b");
        assertThat(head.joined(FieldName.AUTHORIZATION)).isEqualTo("Basic dTpw");
    }

    @Test
    void areRemovedFromTheConfiguredAndTheStandardField() {
        String[] fields = {"X-Token", "PrivateToken token=a", "Authorization", "PrivateToken token=b"};
        RequestHead head = forwarded(OWN, REVERSE, OFF, fields);
        assertThat(head.has(OWN)).isFalse();
        assertThat(head.has(FieldName.AUTHORIZATION)).isFalse();
    }

    @Test
    void areRemovedInAdditionToTheVerifiedToken() {
        RequestHead head = forwarded(OWN, REVERSE, OPTIONAL, "Authorization", "PrivateToken token=b");
        assertThat(head.has(FieldName.AUTHORIZATION)).isFalse();
    }

    @Test
    void areRemovedFromOtherCredentialsWhereATokenIsOptional() {
        RequestHead head = forwarded(
                FieldName.AUTHORIZATION, REVERSE, OPTIONAL, "Authorization", "Basic dTpw, PrivateToken token=abc");
        assertThat(head.value(FieldName.AUTHORIZATION)).isEqualTo("Basic dTpw");
    }

    @Test
    void areRemovedFromPreflights() {
        String[] fields = {
            "Origin",
            "https://a.example",
            "Access-Control-Request-Method",
            "PUT",
            "Authorization",
            "PrivateToken token=b"
        };
        RequestHead head = forwarded(OWN, REVERSE, REQUIRED, Method.OPTIONS, fields);
        assertThat(head.has(FieldName.AUTHORIZATION)).isFalse();
    }

    @Test
    void forTheDestinationAreForwardedOnForwardListeners() {
        RequestHead head = forwarded(FieldName.AUTHORIZATION, FORWARD, OFF, "Authorization", "PrivateToken token=b");
        assertThat(head.has(FieldName.AUTHORIZATION)).isTrue();
    }
}
