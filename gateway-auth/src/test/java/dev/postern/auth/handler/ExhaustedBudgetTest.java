package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.budget.DeprioritizedVerification;
import dev.postern.auth.budget.FailureBudget;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.token.TokenType;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.rate.Gcra;
import dev.postern.core.route.Route;
import dev.postern.core.testing.StageChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a flood of forged tokens: once the tokens of its network cannot be verified any more, they are not even decoded. */
class ExhaustedBudgetTest {

    private static final Route REQUIRED = TestExchange.route("*/", Route.Token.REQUIRED, null);
    private static final Route OPTIONAL = TestExchange.route("*/", Route.Token.OPTIONAL, null);
    private static final String BROKEN = "PrivateToken token=broken";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final FailureBudget budget = new FailureBudget(Gcra.of(1, TimeUnit.HOURS.toMicros(1), 0), 1);
    private final DeprioritizedVerification verification = new DeprioritizedVerification(budget, registry);
    private final EmbeddedChannel channel = channel(Enforcement.STRICT);
    private final EmbeddedChannel reporting = channel(Enforcement.reportOnly(registry, exchange -> {}));

    ExhaustedBudgetTest() {
        channel.freezeTime(); // else there would be idle time for queued tokens
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        reporting.finishAndReleaseAll();
    }

    @Test
    void areNotDecoded() {
        exhaustBudget();

        assertThat(reason(REQUIRED, "authorization", BROKEN)).isEqualTo("over-budget");
        assertThat(reason(OPTIONAL, "authorization", BROKEN)).isEqualTo("over-budget");
        assertThat(unread()).isEqualTo(2);
    }

    @Test
    void reachNoUpstreamInReportOnlyMode() {
        exhaustBudget();
        Exchange exchange = exchange(REQUIRED, "authorization", BROKEN);

        reporting.writeInbound(exchange);
        assertThat(reporting.<Exchange>readInbound()).as("passed on later").isNull();
        channel.runScheduledPendingTasks();

        assertThat(reporting.<Exchange>readInbound()).isSameAs(exchange);
        assertThat(exchange.request().has(FieldName.AUTHORIZATION)).isFalse();
        assertThat(Objects.requireNonNull(exchange.outcome().reported()).reason())
                .isEqualTo("over-budget");
    }

    @Test
    void areDecodedWhileTheQueueHasCapacity() {
        verification.verified(exchange(REQUIRED), false);

        assertThat(reason(REQUIRED, "authorization", BROKEN)).isEqualTo("malformed");
        assertThat(unread()).isZero();
    }

    @Test
    void tokensOfOtherNetworksAreDecoded() throws Exception {
        exhaustBudget();
        TestExchange other = exchange(InetAddress.getByName("198.51.100.7"), "authorization", BROKEN);

        assertThat(reason(other)).isEqualTo("malformed");
        assertThat(unread()).isZero();
    }

    @Test
    void requestsWithoutATokenAreUnaffected() {
        exhaustBudget();

        assertThat(reason(REQUIRED)).isEqualTo("missing");
        assertThat(reason(REQUIRED, "authorization", "Basic dTpw")).isEqualTo("missing");
        TestExchange free = TestExchange.get(REVERSE, OPTIONAL, channel.eventLoop(), "authorization", "Basic dTpw");
        channel.writeInbound(free.exchange());
        assertThat(channel.<Exchange>readInbound()).isSameAs(free.exchange());
        assertThat(unread()).isZero();
    }

    private void exhaustBudget() {
        Exchange forger = exchange(REQUIRED);
        verification.verified(forger, false);
        for (int i = 0; i < 10_000 && !verification.refusesUnverified(forger); i++) {
            verification.defer(forger, () -> {}, () -> {});
        }
    }

    private EmbeddedChannel channel(Enforcement enforcement) {
        return StageChannel.of(new TokenDecodingStage(
                FieldName.AUTHORIZATION,
                List.of(TokenType.BLIND_RSA),
                (exchange, reason) -> {
                    exchange.outcome().reason(reason);
                    exchange.refuse(Refusal.TOKEN_REQUIRED);
                },
                enforcement,
                verification,
                null));
    }

    private Exchange exchange(Route route, String... fields) {
        return TestExchange.get(REVERSE, route, channel.eventLoop(), fields).exchange();
    }

    private TestExchange exchange(InetAddress from, String... fields) {
        TestExchange exchange = TestExchange.get(REVERSE, REQUIRED, channel.eventLoop(), fields);
        exchange.exchange().clientAddress(from);
        return exchange;
    }

    private String reason(Route route, String... fields) {
        return reason(TestExchange.get(REVERSE, route, channel.eventLoop(), fields));
    }

    private String reason(TestExchange exchange) {
        channel.writeInbound(exchange.exchange());
        assertThat(channel.<Exchange>readInbound()).as("refused").isNull();
        return exchange.exchange().outcome().reason();
    }

    private double unread() {
        return registry.get("postern.token.deprioritized")
                .tag("result", "unreached")
                .counter()
                .count();
    }
}
