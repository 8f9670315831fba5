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

/** Clients that don't take what they asked for. */
@ExtendWith(LeakExtension.class)
class WriteTimeoutHandlerIT {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final int SIZE = 96_000_000; // more than the sockets between take

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
    void whoTakesNothingLosesTheConnectionAndTheUpstreamIsFree() {
        try (RawClient client = new RawClient(gateway.port())) {
            client.send(GET);
            Line line = origin.accept();
            line.readHead();
            line.pour(SIZE);
            assertThat(line.closedByPeer()).isTrue();
            // The origin's own thread fails to write, and is meant to.
            await().dontCatchUncaughtExceptions().until(() -> gateway.server().connections() == 0);
        }
        assertThat(gateway.metrics().closed(Why.STALLED)).isEqualTo(1);
        assertThat(gateway.ended()).singleElement().matches(e -> e.outcome().cut());
    }

    @Test
    void whoTakesALittleNowAndThenKeepsIt() {
        gateway.close();
        gateway = gateway(Duration.ofSeconds(3));
        try (RawClient client = new RawClient(gateway.port())) {
            client.send(GET);
            Line line = origin.accept();
            line.readHead();
            Pouring response = line.pour(SIZE);
            await().pollInterval(Duration.ofMillis(100)).until(response::stopped);
            // Longer than the bound altogether, but never without having taken something.
            for (int piece = 0; piece < 24; piece++) {
                client.readBytes(3_500_000);
                await().pollDelay(Duration.ofMillis(150)).until(() -> true);
            }
            assertThat(client.readBytes(1_000_000)).hasSize(1_000_000);
        }
        assertThat(gateway.metrics().closed(Why.STALLED)).isZero();
    }

    @Test
    void whoTakesAllIsNotWatchedAnyMore() {
        gateway.close();
        gateway = gateway(Duration.ofSeconds(2)); // no pause of a client that reads all the time
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
