package dev.postern.core.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.testing.LogLines;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CloseReasonMetricsTest {

    private static final String DETAIL = "server name my_app.test, no cipher suites in common";

    @Test
    void logsTheDetailOfOneConnectionASecondAndCountsAll() {
        MockTicker ticker = Ticker.newMockTicker();
        CloseReasonMetrics metrics = new CloseReasonMetrics(new SimpleMeterRegistry(), ticker);
        try (LogLines log = new LogLines(CloseReasonMetrics.class)) {
            for (int i = 0; i < 1000; i++) {
                metrics.count(Why.HANDSHAKE, "web", DETAIL);
            }
            ticker.advance(1, TimeUnit.SECONDS);
            metrics.count(Why.HANDSHAKE, "web", DETAIL);
            String line =
                    "listener web: closed a connection: no TLS handshake within limits.head-timeout, or a failed one: "
                            + DETAIL;
            assertThat(log.lines()).containsExactly(line + " (1 so far)", line + " (1001 so far)");
        }
        assertThat(metrics.closed(Why.HANDSHAKE)).isEqualTo(1001);
    }
}
