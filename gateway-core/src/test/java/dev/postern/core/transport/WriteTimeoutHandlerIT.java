package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.connection.AcceptLimits;
import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.RawOrigin.Pouring;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests clients that do not read their responses. */
@ExtendWith(LeakExtension.class)
class WriteTimeoutHandlerIT {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final int SIZE = 96_000_000; // more than the capacity of the sockets between

    private final RawOrigin origin = new RawOrigin();
    private CoreGateway gateway = gateway(Duration.ofMillis(300));

    private CoreGateway gateway(Duration writeIdle) {
        return new CoreGateway(
                Setup.of(origin.address()), new AcceptLimits(100, 0, Duration.ofSeconds(1), writeIdle, 0));
    }

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

    @Test
    void keepsAClientThatReadsALittle() {
        gateway.close();
        gateway = gateway(Duration.ofSeconds(3));
        try (RawClient client = new RawClient(gateway.port())) {
            client.send(GET);
            Line line = origin.accept();
            line.readHead();
            Pouring response = line.pour(SIZE);
            await().pollInterval(Duration.ofMillis(100)).until(response::stopped);
            // Longer than the limit in total, but never without progress.
            for (int piece = 0; piece < 24; piece++) {
                client.readBytes(3_500_000);
                await().pollDelay(Duration.ofMillis(150)).until(() -> true);
            }
            assertThat(client.readBytes(1_000_000)).hasSize(1_000_000);
        }
        assertThat(gateway.metrics().closed(Why.STALLED)).isZero();
    }

    @Test
    void stopsWatchingAfterAllBytesWereRead() {
        gateway.close();
        gateway = gateway(Duration.ofSeconds(2)); // a client that reads all the time does not pause
        try (RawClient client = new RawClient(gateway.port())) {
            client.send(GET);
            Line line = origin.accept();
            line.readHead();
            line.pour(SIZE);
            assertThat(client.read().body()).hasSize(SIZE);
            await().pollDelay(Duration.ofMillis(2_500)).until(() -> true);
            client.send(GET);
            line.readHead();
            line.ok("still here");
            assertThat(client.read().body()).isEqualTo("still here");
        }
        assertThat(gateway.metrics().closed(Why.STALLED)).isZero();
    }

    @Test
    void tunnelsAreNotWatched() {
        try (RawClient client = new RawClient(gateway.forwardPort())) {
            client.send("CONNECT " + origin.address() + " HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n");
            assertThat(client.readConnect().status()).isEqualTo(200);
            Pouring bytes = origin.accept().pour(SIZE);
            await().pollInterval(Duration.ofMillis(300)).until(bytes::stopped);
            await().pollDelay(Duration.ofMillis(700)).until(() -> true);
            assertThat(client.readBytes(SIZE)).hasSize(SIZE);
        }
        assertThat(gateway.metrics().closed(Why.STALLED)).isZero();
    }
}
