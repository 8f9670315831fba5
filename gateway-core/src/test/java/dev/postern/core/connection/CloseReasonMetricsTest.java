package dev.postern.core.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.testing.LogLines;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.Ticker;
import org.junit.jupiter.api.Test;

class CloseReasonMetricsTest {

    @Test
    void logsTheDetailOfOneConnectionAndCountsAll() {
        CloseReasonMetrics metrics = new CloseReasonMetrics(new SimpleMeterRegistry(), Ticker.newMockTicker());
        try (LogLines log = new LogLines(CloseReasonMetrics.class)) {
            for (int i = 0; i < 1000; i++) {
                metrics.count(Why.HANDSHAKE, "web", "server name my_app.test, no cipher suites in common");
            }
            assertThat(log.lines()).hasSize(1);
            assertThat(log.lines().get(0))
                    .isEqualTo(
                            "listener web: closed a connection: no TLS handshake within limits.head-timeout, or a failed"
                                    + " one: server name my_app.test, no cipher suites in common (1 so far)");
        }
        assertThat(metrics.closed(Why.HANDSHAKE)).isEqualTo(1000);
    }
}
