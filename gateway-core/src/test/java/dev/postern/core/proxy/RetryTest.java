package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.DurationText;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.proxy.ProxyExchangeFixture.Lease;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.upstream.endpoint.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how an exchange goes on when it gets no connection or no response: which connection it wants next, and which endpoint is blamed. */
@ExtendWith(LeakExtension.class)
class RetryTest {

    private static final Duration PER_TRY = Duration.ofSeconds(2);

    private final ProxyExchangeFixture proxied = new ProxyExchangeFixture();

    private @Nullable Duration timeout(Lease lease) {
        return lease.stream().timeout(proxied.client().now());
    }

    // ---- no connection

    @Test
    void connectsToAnotherEndpointOnce() {
        proxied.start();
        proxied.client().pass(PER_TRY);
        proxied.start().refused(Refusal.UPSTREAM_REFUSED, proxied.one());
        assertThat(proxied.pool().wanted()).containsExactly("any", "any but one");
        assertThat(proxied.retries("sent")).isEqualTo(1);
        assertThat(proxied.exchange().timeline().nanos(StageName.CONNECT)).isEqualTo(PER_TRY.toNanos());

        proxied.start().refused(Refusal.UPSTREAM_CONNECT_TIMEOUT, proxied.two());
        assertThat(proxied.pool().wanted()).hasSize(2);
        assertThat(proxied.response().status()).isEqualTo(504);
        assertThat(proxied.exchange().outcome().tries())
                .as("no request was sent")
                .isZero();
        assertThat(proxied.exchange().outcome().forwarded()).isFalse();
    }

    @Test
    void anyRequestConnectsAgain() {
        proxied.client().post();
        proxied.start().refused(Refusal.UPSTREAM_REFUSED, proxied.one());
        assertThat(proxied.pool().wanted()).containsExactly("any", "any but one");
    }

    @Test
    void oneEndpointHasNoOther() {
        proxied.endpoints(1).start().refused(Refusal.UPSTREAM_REFUSED, proxied.one());
        assertThat(proxied.response().status()).isEqualTo(502);
        assertThat(proxied.pool().wanted()).containsExactly("any");
    }

    @Test
    void anEmptyBudgetConnectsOnce() {
        proxied.retry("0%", Duration.ZERO).start().refused(Refusal.UPSTREAM_REFUSED, proxied.one());
        assertThat(proxied.response().status()).isEqualTo(502);
        assertThat(proxied.retries("over-budget")).isEqualTo(1);
    }

    @Test
    void aFullPoolIsNotTriedAgain() {
        proxied.start().refused(Refusal.UPSTREAM_BUSY, null);
        assertThat(proxied.exchange().outcome().refusal()).isEqualTo(Refusal.UPSTREAM_BUSY);
        assertThat(proxied.exchange().outcome().reason()).isEmpty();
        assertThat(proxied.retries("over-budget")).isZero();
    }

    @Test
    void aGatewayWithoutDescriptorsTriesNoOther() {
        proxied.start().refused(Refusal.OVERLOADED, proxied.one());
        assertThat(proxied.response().status()).isEqualTo(503);
        assertThat(proxied.exchange().outcome().reason()).isEqualTo("descriptors");
        assertThat(proxied.pool().wanted()).containsExactly("any");
    }

    @Test
    void aClientThatHasLeftIsNotConnectedAgain() {
        proxied.start();
        proxied.exchange().end();
        proxied.start().refused(Refusal.UPSTREAM_REFUSED, proxied.one());
        assertThat(proxied.pool().wanted()).containsExactly("any");
        assertThat(proxied.response().status()).isZero();
    }

    // ---- Host

    /** Endpoints of one upstream may have different names; without a name of its own an endpoint gets the client's. */
    @Test
    void eachAttemptHasTheHostOfItsEndpoint() {
        Endpoint first = ProxyExchangeFixture.endpoint("192.0.2.3", Field.of(FieldName.HOST, "one.example:8080"));
        Endpoint second = ProxyExchangeFixture.endpoint("192.0.2.4", Field.of(FieldName.HOST, "two.example"));
        Lease stale = proxied.lease(first, true);
        assertThat(hosts(proxied.client().request())).containsExactly("one.example:8080");
        stale.stream().upstream().failed(Refusal.UPSTREAM_CLOSED, true);
        proxied.lease(second, false);
        assertThat(hosts(proxied.client().request())).containsExactly("two.example");
        assertThat(proxied.client().request().authority()).isEqualTo("site.example");
    }

    @Test
    void anEndpointWithoutAHostGetsTheClients() {
        proxied.client().request().add(FieldName.HOST, "site.example");
        proxied.lease(proxied.one(), false);
        assertThat(hosts(proxied.client().request())).containsExactly("site.example");
    }

    private static List<String> hosts(RequestHead request) {
        List<String> hosts = new ArrayList<>();
        for (int i = request.next(FieldName.HOST, 0); i >= 0; i = request.next(FieldName.HOST, i + 1)) {
            hosts.add(request.valueAt(i));
        }
        return hosts;
    }

    // ---- a lost connection

    @Test
    void aStaleConnectionIsReplacedByANewOne() {
        Lease stale = proxied.retry("0%", Duration.ZERO).lease(proxied.one(), true);
        stale.stream().upstream().failed(Refusal.UPSTREAM_CLOSED, true);
        assertThat(proxied.pool().wanted()).containsExactly("any", "fresh");
        assertThat(proxied.retries("stale")).isEqualTo(1);
        assertThat(proxied.blamed(proxied.one())).isFalse();

        Lease fresh = proxied.lease(proxied.one(), false);
        fresh.stream().upstream().failed(Refusal.UPSTREAM_CLOSED, true);
        assertThat(proxied.response().status()).isEqualTo(502);
        assertThat(proxied.exchange().outcome().tries()).isEqualTo(2);
        assertThat(proxied.blamed(proxied.one())).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "reused, silent, UPSTREAM_CLOSED, false",
        "reused, partial, UPSTREAM_CLOSED, true",
        "new, silent, UPSTREAM_CLOSED, true",
        "reused, silent, UPSTREAM_MALFORMED, true"
    })
    void aRequestThatMayHaveBeenProcessedIsNotSentAgain(
            String connection, String response, Refusal refusal, boolean blamed) {
        proxied.client().post();
        Lease lease = proxied.lease(proxied.one(), connection.equals("reused"));
        lease.stream().upstream().failed(refusal, response.equals("silent"));
        assertThat(proxied.response().status()).isEqualTo(502);
        assertThat(proxied.pool().wanted()).containsExactly("any");
        assertThat(proxied.blamed(proxied.one())).isEqualTo(blamed);
    }

    // ---- silence

    @Test
    void asksTwoOtherEndpointsWhenOneIsSilent() {
        Lease first = proxied.retry("20%", PER_TRY).lease(proxied.one(), true);
        assertThat(timeout(first)).isEqualTo(PER_TRY);
        first.stream().upstream().late();
        assertThat(first.stream().aborted()).isTrue();
        assertThat(proxied.pool().wanted()).containsExactly("any", "any but one");
        assertThat(proxied.blamed(proxied.one()))
                .as("it had not the whole time")
                .isFalse();

        Lease second = proxied.lease(proxied.two(), true);
        assertThat(timeout(second)).isEqualTo(PER_TRY);
        second.stream().upstream().late();
        assertThat(proxied.pool().wanted()).containsExactly("any", "any but one", "any but two");

        Lease third = proxied.lease(proxied.one(), true);
        assertThat(timeout(third)).isEqualTo(AttemptFixture.FIRST_BYTE);
        third.stream().upstream().late();
        assertThat(proxied.response().status()).isEqualTo(504);
        assertThat(proxied.blamed(proxied.one())).isTrue();
        assertThat(proxied.retries("sent")).isEqualTo(2);
        assertThat(proxied.retries("stale")).isZero();
    }

    @Test
    void aTimePerTryBeyondTheWholeTimeChangesNothing() {
        Lease lease = proxied.retry("20%", AttemptFixture.FIRST_BYTE).lease(proxied.one(), true);
        assertThat(timeout(lease)).isEqualTo(AttemptFixture.FIRST_BYTE);
        lease.stream().upstream().late();
        assertThat(proxied.blamed(proxied.one())).isTrue();
        assertThat(proxied.pool().wanted()).containsExactly("any", "any but one");
    }

    @ParameterizedTest
    @CsvSource({"GET, 0s, 2", "POST, 2s, 2", "GET, 2s, 1"})
    void silenceSendsNothingElsewhere(String method, String perTry, int endpoints) {
        if (method.equals("POST")) {
            proxied.client().request().method(Method.POST);
        }
        Duration time = DurationText.parse(perTry);
        Lease lease = proxied.endpoints(endpoints).retry("20%", time).lease(proxied.one(), false);
        assertThat(timeout(lease)).isEqualTo(AttemptFixture.FIRST_BYTE);
        lease.stream().upstream().late();
        assertThat(proxied.response().status()).isEqualTo(504);
        assertThat(proxied.pool().wanted()).containsExactly("any");
        assertThat(proxied.blamed(proxied.one())).isTrue();
    }

    @Test
    void anEmptyBudgetLeavesTheWholeTime() {
        Lease lease = proxied.retry("0%", PER_TRY).lease(proxied.one(), false);
        assertThat(timeout(lease)).isEqualTo(AttemptFixture.FIRST_BYTE);
        lease.stream().upstream().late();
        assertThat(proxied.response().status()).isEqualTo(504);
        assertThat(proxied.pool().wanted()).containsExactly("any");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEndpointThatRespondsToOthersIsOnlySlow(boolean since) {
        if (!since) {
            proxied.one().responded(200, proxied.client().now());
        }
        Lease lease = proxied.lease(proxied.one(), false);
        proxied.client().pass(PER_TRY);
        if (since) {
            proxied.one().responded(200, proxied.client().now());
        }
        lease.stream().upstream().late();
        assertThat(proxied.response().status()).isEqualTo(504);
        assertThat(proxied.blamed(proxied.one())).isEqualTo(!since);
    }

    // ---- requests that were not processed

    @Test
    void followsEndpointsThatLeaveWithoutCost() {
        proxied.client().post();
        proxied.retry("0%", Duration.ZERO).start();
        for (int i = 0; i < 16; i++) {
            proxied.lease(proxied.one(), true).stream().upstream().unprocessed(true);
        }
        assertThat(proxied.pool().wanted()).hasSize(17).containsOnly("any");
        assertThat(proxied.retries("stale")).isEqualTo(16);
        assertThat(proxied.blamed(proxied.one())).isFalse();
        assertThat(proxied.client().body().read())
                .as("no attempt takes the body")
                .isFalse();

        proxied.lease(proxied.one(), true).stream().upstream().unprocessed(true);
        assertThat(proxied.response().status()).isEqualTo(502);
    }

    @Test
    void anOverloadedEndpointCostsBudgetAndIsAvoided() {
        proxied.client().post();
        proxied.lease(proxied.one(), true).stream().upstream().unprocessed(false);
        proxied.lease(proxied.two(), true).stream().upstream().unprocessed(false);
        assertThat(proxied.pool().wanted()).containsExactly("any", "any but one", "any but two");
        assertThat(proxied.retries("sent")).isEqualTo(2);
        assertThat(proxied.retries("stale")).isZero();

        proxied.lease(proxied.one(), true).stream().upstream().unprocessed(false);
        assertThat(proxied.response().status()).isEqualTo(502);
    }

    @Test
    void anOverloadedEndpointWithoutBudgetFails() {
        proxied.client().post();
        proxied.retry("0%", Duration.ZERO).lease(proxied.one(), true).stream()
                .upstream()
                .unprocessed(false);
        assertThat(proxied.response().status()).isEqualTo(502);
        assertThat(proxied.pool().wanted()).containsExactly("any");
    }

    @Test
    void leavesAreNoTries() {
        proxied.client().post();
        for (int i = 0; i < 5; i++) {
            proxied.lease(proxied.one(), true).stream().upstream().unprocessed(true);
        }
        proxied.lease(proxied.one(), true).stream().upstream().unprocessed(false);
        assertThat(proxied.pool().wanted()).hasSize(7).endsWith("any but one");
    }

    /** The next attempt reads the body, which the one before had begun to ask for. */
    @Test
    void theNextAttemptGetsTheWholeBody() {
        proxied.client().post();
        proxied.lease(proxied.one(), true).stream().upstream().unprocessed(true);
        Lease next = proxied.lease(proxied.two(), false);
        assertThat(proxied.client().body().read()).isTrue();
        proxied.client().body().send("whole");
        proxied.client().body().end();
        assertThat(next.stream().flushed()).isEqualTo("whole");
        next.stream().upstream().head(new ResponseHead().status(201).bodyLength(0));
        assertThat(proxied.response().status()).isEqualTo(201);
    }
}
