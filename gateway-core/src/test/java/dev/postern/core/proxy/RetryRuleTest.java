package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointHealth;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which tries without a response are failures of their endpoint, and which requests can be sent again. */
class RetryRuleTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Endpoint endpoint = new Endpoint(
            InetSocketAddress.createUnresolved("app", 80),
            1,
            new EndpointHealth(KeyDefaults.of(UpstreamSettings.Health.class)));

    @Test
    void countsATryThatHadItsWholeTime() {
        assertThat(RetryRule.silent(false, endpoint.respondedSince(0))).isTrue();
    }

    @Test
    void doesNotCountATryThatWasCutShort() {
        assertThat(RetryRule.silent(true, endpoint.respondedSince(0))).isFalse();
    }

    @Test
    void doesNotCountASlowTryBesideOtherResponses() {
        endpoint.responded(200, 5 * SECOND);
        assertThat(RetryRule.silent(false, endpoint.respondedSince(4 * SECOND))).isFalse();
        assertThat(RetryRule.silent(false, endpoint.respondedSince(6 * SECOND))).isTrue();
    }

    private static RequestHead request(String method, long body) {
        return new RequestHead().method(Method.of(method)).bodyLength(body);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, 0, true",
        "HEAD, 0, true",
        "OPTIONS, 0, true",
        "GET, 4, false",
        "GET, -1, false",
        "POST, 0, false",
        "DELETE, 0, false"
    })
    void looksAtAConnectionForWhatCannotBeSentAgain(String method, long body, boolean repeatable) {
        assertThat(RetryRule.repeatable(request(method, body))).isEqualTo(repeatable);
    }

    /** Only a reused connection that closed without a byte was stale. */
    @ParameterizedTest
    @CsvSource({
        "GET, UPSTREAM_CLOSED, reused, silent, 1, true",
        "GET, UPSTREAM_CLOSED, reused, silent, 2, true",
        "GET, UPSTREAM_CLOSED, reused, silent, 3, false",
        "POST, UPSTREAM_CLOSED, reused, silent, 1, false",
        "GET, UPSTREAM_MALFORMED, reused, silent, 1, false",
        "GET, UPSTREAM_CLOSED, new, silent, 1, false",
        "GET, UPSTREAM_CLOSED, reused, partial, 1, false"
    })
    void sendsAgainAfterAStaleConnection(
            String method, Refusal refusal, String connection, String response, int tries, boolean again) {
        boolean reused = connection.equals("reused");
        boolean silent = response.equals("silent");
        assertThat(RetryRule.afterLoss(request(method, 0), refusal, reused, silent, tries))
                .isEqualTo(again);
    }

    @ParameterizedTest
    @CsvSource({"GET, 2, 1, true", "GET, 2, 2, true", "GET, 2, 3, false", "GET, 1, 1, false", "POST, 2, 1, false"})
    void sendsToAnotherEndpointAfterSilence(String method, int endpoints, int tries, boolean again) {
        assertThat(RetryRule.afterSilence(request(method, 0), endpoints > 1, tries))
                .isEqualTo(again);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, false"})
    void sendsWhatWasNotProcessedTwiceAgain(int tries, boolean again) {
        assertThat(RetryRule.afterNothing(tries)).isEqualTo(again);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "16, true", "17, false"})
    void followsEndpointsThatLeave(int leaves, boolean again) {
        assertThat(RetryRule.afterLeave(leaves)).isEqualTo(again);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, false", "1, 2, true", "2, 2, false", "2, 3, true", "2, 9, true", "3, 9, false"})
    void connectsToAnotherEndpoint(int failures, int endpoints, boolean again) {
        assertThat(RetryRule.afterConnect(failures, endpoints)).isEqualTo(again);
    }

    @Test
    void sendsNoSecondCopyByDefault() {
        assertThat(KeyDefaults.of(UpstreamSettings.Retry.class).afterSilence()).isFalse();
    }
}
