package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestLimits;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a client that does not read its response, in front of an upstream; {@link WriteTimeoutHandlerTest} has the time limits. */
@ExtendWith(LeakExtension.class)
class WriteTimeoutHandlerIT {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final int SIZE = 96_000_000; // more than the capacity of the sockets between

    private final RawOrigin origin = new RawOrigin();
    private final CoreGateway gateway = new CoreGateway(
            Setup.of(origin.address()).limits(TestLimits.with(Map.of("writeIdleTimeout", Duration.ofMillis(300)))));

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    @Test
    void closesAClientThatReadsNothingAndReleasesTheUpstream() {
        try (RawClient client = new RawClient(gateway.port())) {
            client.send(GET);
            Line line = origin.accept();
            line.readHead();
            line.pour(SIZE);
            assertThat(line.closedByPeer()).isTrue();
            // The origin's thread fails to write, as intended.
            await().dontCatchUncaughtExceptions().until(() -> gateway.server().connections() == 0);
        }
        assertThat(gateway.metrics().closed(Why.STALLED)).isEqualTo(1);
        assertThat(gateway.ended()).singleElement().matches(e -> e.outcome().cut());
    }
}
