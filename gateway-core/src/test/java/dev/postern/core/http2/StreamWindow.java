package dev.postern.core.http2;

import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.KeyDefaults;

/** Windows that a gateway with default limits grants to stream 1, the only one of its connection. */
final class StreamWindow {

    private static final int PIECE = 16_000;

    private int stream = 65_535;
    private int connection = KeyDefaults.of(Http2Limits.class).connectionWindow();

    private StreamWindow() {}

    /** Sends DATA until the windows stay closed, because the gateway reads no more; returns the number of bytes. */
    static int fill(FrameClient client) {
        return new StreamWindow().sendAll(client);
    }

    private int sendAll(FrameClient client) {
        int sent = 0;
        for (int quiet = 0; quiet < 3; ) {
            if (stream >= PIECE && connection >= PIECE) {
                client.data(1, false, "x".repeat(PIECE));
                stream -= PIECE;
                connection -= PIECE;
                sent += PIECE;
            } else {
                quiet = opened(client) ? 0 : quiet + 1;
            }
        }
        return sent;
    }

    /** Returns whether a window was opened before the response to a PING. */
    private boolean opened(FrameClient client) {
        client.frame(FrameClient.PING, 0, 0, new byte[8]);
        boolean opened = false;
        for (Frame frame = client.next(); frame != null && frame.type() != FrameClient.PING; frame = client.next()) {
            if (frame.type() == FrameClient.WINDOW_UPDATE) {
                opened = true;
                stream += frame.stream() == 1 ? frame.number(0) : 0;
                connection += frame.stream() == 0 ? frame.number(0) : 0;
            }
        }
        return opened;
    }
}
