package dev.postern.core.http2.guard;

import static dev.postern.core.testing.FrameClient.CONTINUATION;
import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;

import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Honest client that requests large responses one after another on a connection of its own, as fast as they come, until it is finished. Each
 * head has CONTINUATION frames, and each response is measured with a PING.
 */
final class HonestClient {

    private static final int LEAST = 10;
    private static final int CONTINUATIONS = 2;

    private final FrameClient client;
    private final int length;
    private final Thread thread = new Thread(this::request, "honest");
    private volatile boolean over;
    private volatile @Nullable Throwable failure;

    /** @param length bytes of each response */
    HonestClient(int port, int length) {
        this.client = FrameClient.connect(port, 4, 1 << 20);
        this.length = length;
        thread.setDaemon(true);
        thread.start();
    }

    private void request() {
        try {
            for (int i = 0; i < LEAST || !over; i++) {
                int stream = 1 + 2 * i;
                client.window(0, length); // first: a response that waits for it could time out
                head(stream);
                FrameClient.Response response = client.response(stream);
                if (response.length() != length) {
                    throw new AssertionError(
                            "%s, %d bytes (expected: %d)".formatted(response.status(), response.length(), length));
                }
                client.frame(PING, 0, 0, new byte[8]);
            }
        } catch (RuntimeException | AssertionError e) {
            failure = e;
        }
    }

    private void head(int stream) {
        byte[] fields = FieldBlock.of(FrameClient.request("GET", "/"));
        int part = fields.length / (CONTINUATIONS + 1);
        client.frame(HEADERS, END_STREAM, stream, Arrays.copyOf(fields, part));
        client.frame(CONTINUATION, 0, stream, Arrays.copyOfRange(fields, part, 2 * part));
        client.frame(CONTINUATION, END_HEADERS, stream, Arrays.copyOfRange(fields, 2 * part, fields.length));
    }

    /** Ends after the current request, and {@value #LEAST} at least; fails when a response was not complete. */
    void finish() throws InterruptedException {
        over = true;
        thread.join();
        client.close();
        if (failure != null) {
            throw new AssertionError("an honest client", failure);
        }
    }
}
