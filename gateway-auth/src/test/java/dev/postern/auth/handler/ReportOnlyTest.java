package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.FORWARD;
import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.Auth;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.embedded.EmbeddedLedger;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.route.Route;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.ManualClock;
import dev.postern.core.testing.StageChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the report-only mode: every token is verified and reported, no request is refused, and no upstream receives a token. */
class ReportOnlyTest {

    private static final Route ROUTE = TestExchange.route("*/", Route.Token.REQUIRED, null);
    private static final TokenMint MINT = TokenMint.shared();

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T12:00:00Z"));
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EmbeddedLedger ledger = EmbeddedLedger.open(
            KeyDefaults.of(LedgerSettings.class),
            new LedgerEnvironment("test", registry, clock, Ticker.systemTicker(), List.of()));
    private final Auth auth = open(List.of(MINT.publicKey()));
    private final EmbeddedChannel channel = StageChannel.of(
            auth.decoding(),
            auth.verification(),
            auth.spending((challenger, terms) -> new SpendStage(
                    ledger,
                    challenger,
                    KeyDefaults.of(LedgerSettings.class),
                    new SpendMeters(registry),
                    terms,
                    Ticker.systemTicker())));

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        auth.close();
    }

    @Test
    void offersAChallengeAndForwardsRequestsWithoutAToken() {
        TestExchange exchange = send(REVERSE, "authorization", "Bearer theirs");

        assertReported(exchange, Refusal.TOKEN_REQUIRED, "missing");
        assertThat(offered(exchange)).startsWith("PrivateToken challenge=");
        assertThat(exchange.exchange().request().value(FieldName.AUTHORIZATION)).isEqualTo("Bearer theirs");
    }

    @Test
    void spendsAValidTokenWithoutAReport() {
        String credentials = MINT.response(offered(send(REVERSE)));

        TestExchange good = send(REVERSE, "authorization", credentials);

        assertThat(passed(good)).isTrue();
        assertThat(good.exchange().outcome().reported()).isNull();
        assertThat(good.exchange().request().has(FieldName.AUTHORIZATION)).isFalse();
        assertThat(good.exchange().responseFields()).isEmpty();
        TestExchange second = send(REVERSE, "authorization", credentials);
        assertReported(second, Refusal.TOKEN_REQUIRED, "spent");
        assertThat(second.exchange().request().has(FieldName.AUTHORIZATION)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "PrivateToken, malformed",
        "privatetoken token=AAAA token=AAAA, malformed",
        "PrivateToken token=AAAB, grease",
        "PrivateToken token=AAkB, unsupported-type"
    })
    void removesEveryTokenValidOrNot(String credentials, String reason) {
        TestExchange exchange = send(REVERSE, "authorization", credentials);

        assertReported(
                exchange, reason.equals("malformed") ? Refusal.CREDENTIALS_MALFORMED : Refusal.TOKEN_REQUIRED, reason);
        assertThat(exchange.exchange().request().has(FieldName.AUTHORIZATION)).isFalse();
    }

    @Test
    void removesTheTokenAmongSeveralCredentials() {
        TestExchange exchange =
                send(REVERSE, "authorization", "Bearer theirs", "authorization", MINT.response(offered(send(REVERSE))));

        assertReported(exchange, Refusal.CREDENTIALS_MALFORMED, "malformed");
        assertThat(exchange.exchange().request().joined(FieldName.AUTHORIZATION))
                .isEqualTo("Bearer theirs");
    }

    @Test
    void reportsForgedTokens() {
        byte[] forged = MINT.token(new byte[40]).bytes();
        String credentials = "PrivateToken token=" + dev.postern.auth.token.Base64Url.encode(forged);

        assertReported(send(REVERSE, "authorization", credentials), Refusal.TOKEN_REQUIRED, "wrong-challenge");
        assertThat(registry.get("postern.token.would.refuse")
                        .tags("code", "token-required", "reason", "wrong-challenge")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void forwardsProxyClientsToo() {
        TestExchange exchange = send(FORWARD);

        assertReported(exchange, Refusal.TOKEN_REQUIRED, "missing");
        assertThat(exchange.exchange().responseFields().get(0).name()).isEqualTo(FieldName.PROXY_AUTHENTICATE);
    }

    @Test
    void forwardsAllRequestsWithoutAKey() {
        try (Auth keyless = open(List.of())) {
            EmbeddedChannel its = StageChannel.of(keyless.decoding(), keyless.verification());
            String credentials = MINT.response(offered(send(REVERSE)));
            TestExchange exchange = TestExchange.get(REVERSE, ROUTE, its.eventLoop(), "authorization", credentials);
            its.writeInbound(exchange.exchange());

            assertThat(its.<Object>readInbound()).isSameAs(exchange.exchange());
            assertThat(exchange.exchange().outcome().reported())
                    .extracting(Outcome.Reported::refusal)
                    .isEqualTo(Refusal.KEYS_UNAVAILABLE);
            its.finishAndReleaseAll();
        }
    }

    private void assertReported(TestExchange exchange, Refusal refusal, String reason) {
        assertThat(passed(exchange)).isTrue();
        assertThat(exchange.status()).isZero();
        assertThat(exchange.exchange().outcome().refusal()).isNull();
        assertThat(exchange.exchange().outcome().reported()).isEqualTo(new Outcome.Reported(refusal, reason));
    }

    private static String offered(TestExchange exchange) {
        return exchange.exchange().responseFields().get(0).value();
    }

    private TestExchange send(ListenerInfo listener, String... fields) {
        TestExchange exchange = TestExchange.get(listener, ROUTE, channel.eventLoop(), fields);
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

    private Auth open(List<String> keys) {
        IssuerSettings issuer = keys.isEmpty()
                ? TestSettings.issuer("issuer.example", java.net.URI.create("http://127.0.0.1:1/"))
                : TestSettings.issuerWithKeys("issuer.example", keys.toArray(String[]::new));
        return Auth.open(
                new TestSettings().reportOnly().of(issuer),
                TestSettings.environment(KeyRing.random(), registry, clock, ledger::epoch));
    }
}
