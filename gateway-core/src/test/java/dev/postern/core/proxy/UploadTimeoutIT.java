package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that a time-out of a request with a body is attributed to an upstream that reads nothing; {@link UpstreamAttemptRequestTest} has the
 * other cases.
 */
@ExtendWith(LeakExtension.class)
class UploadTimeoutIT {

    /** Longer than a busy machine needs for the step that must complete within it. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ";

    private final RawOrigin origin = new RawOrigin();

    private Setup setup() {
        return Setup.of(origin.address());
    }

    @Test
    void isForwardedOrRefused() {
        CompletableFuture<Void> sending;
        try (origin;
                CoreGateway gateway = new CoreGateway(setup().firstByte(LONG).idle(SHORT));
                RawClient client = new RawClient(gateway.port())) {
            client.send(POST + (1L << 40) + "\r\n\r\n");
            sending = CompletableFuture.runAsync(() -> pour(client));
            Response response = client.read();
            assertThat(response.status()).isEqualTo(504);
            assertThat(response.body()).contains("upstream-stalled");
        }
        await().until(sending::isDone);
    }

    /** Sends until the gateway stops reading. */
    private static void pour(RawClient client) {
        String piece = "x".repeat(64 * 1024);
        try {
            while (true) {
                client.send(piece);
            }
        } catch (IllegalStateException e) {
            // the gateway, or the test, closed the connection
        }
    }
}
