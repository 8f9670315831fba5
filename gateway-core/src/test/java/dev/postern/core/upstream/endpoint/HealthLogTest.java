package dev.postern.core.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Share;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.testing.LogLines;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the log lines of endpoints that are left out after two failures, or two failed checks, in a row. */
class HealthLogTest {

    private static final UpstreamSettings.Health RULES = new UpstreamSettings.Health(
            2,
            Duration.ofSeconds(1),
            Duration.ofSeconds(4),
            new Share(0.5),
            Duration.ZERO,
            new UpstreamSettings.Check("/", null, Duration.ofSeconds(1), Duration.ofSeconds(1), 1, 2));

    private final MockTicker ticker = Ticker.newMockTicker();
    private final LogRateLimiter limiter = HealthLog.limiter(ticker);
    private final LogLines log = new LogLines(HealthLog.class);

    @AfterEach
    void close() {
        log.close();
    }

    private EndpointHealth endpoint(int port) {
        return new EndpointHealth(RULES, new HealthLog("app", new InetSocketAddress("127.0.0.1", port), limiter));
    }

    private static void failTwice(EndpointHealth health) {
        health.bad(false, 0);
        health.bad(true, 0);
    }

    @Test
    void namesEachChangeOnce() {
        EndpointHealth health = endpoint(9000);
        failTwice(health);
        failTwice(health);
        health.good();
        health.good();
        health.checked(false, 0);
        health.checked(false, 0);
        health.checked(false, 0);
        health.checked(true, 0);
        assertThat(log.lines())
                .containsExactly(
                        "upstream app: endpoint 127.0.0.1:9000 is left out: 2 failures in a row, the last one without a"
                                + " connection",
                        "upstream app: endpoint 127.0.0.1:9000 is back: it responds",
                        "upstream app: endpoint 127.0.0.1:9000 is left out: 2 health checks in a row failed",
                        "upstream app: endpoint 127.0.0.1:9000 is back: health checks succeed");
    }

    @Test
    void saysThatTheLastFailureWasAResponse() {
        EndpointHealth health = endpoint(9000);
        health.bad(true, 0);
        health.bad(false, 0);
        assertThat(log.lines())
                .singleElement()
                .asString()
                .endsWith("the last one without a response or with status 502, 503 or 504");
    }

    @Test
    void anEndpointThatFlapsFillsNoLog() {
        EndpointHealth health = endpoint(9000);
        for (int i = 0; i < 100; i++) {
            failTwice(health);
            health.good();
        }
        assertThat(log.lines()).hasSize(20);
        assertThat(log.lines().get(19)).endsWith("is back: it responds");
        ticker.advance(10, TimeUnit.SECONDS);
        EndpointHealth other = endpoint(9001);
        failTwice(other);
        failTwice(health);
        other.good();
        health.good();
        assertThat(log.lines().subList(20, log.lines().size()))
                .as("a line that was withheld has no other")
                .allMatch(line -> line.contains("127.0.0.1:9001"))
                .hasSize(2);
    }
}
