package dev.postern.auth.spend.memcached;

import java.net.SocketAddress;
import java.util.Arrays;
import net.spy.memcached.ConnectionObserver;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection stands, and which mark its server showed on this very connection.
 *
 * <p>Written by the library's I/O thread, which also reads the responses: so a mark here was shown by the process at the other end of the
 * connection on which the response that is being read arrived. A server that lost its memory by a restart lost the connection too; between
 * the new connection and the new mark there is none, and nothing is FRESH.
 */
final class MarkedConnection implements ConnectionObserver {

    private final Listener listener;
    private volatile boolean connected;
    private volatile byte @Nullable [] mark;

    /** Told on the thread of the connection. */
    interface Listener {

        default void established() {}

        default void lost() {}

        /** The server no longer shows the mark that was verified. */
        default void doubted() {}

        /** No connection came to be, or it ended, and this is why. */
        default void failed(Throwable cause) {}
    }

    MarkedConnection(Listener listener) {
        this.listener = listener;
    }

    @Override
    public void connectionEstablished(SocketAddress address, int reconnects) {
        mark = null;
        connected = true;
        listener.established();
    }

    @Override
    public void connectionLost(SocketAddress address) {
        mark = null;
        connected = false;
        listener.lost();
    }

    void failed(Throwable cause) {
        listener.failed(cause);
    }

    boolean connected() {
        return connected;
    }

    /** The verified mark, or null. */
    byte @Nullable [] mark() {
        return mark;
    }

    void mark(byte @Nullable [] shown) {
        mark = shown;
    }

    /**
     * Takes the reply to the {@code gets} of the mark behind spends. Where that is not the verified mark, the server lost its memory, and
     * nothing more is sent until its mark is verified anew.
     *
     * @param response null when none came
     * @return the mark that the server has, or null
     */
    byte @Nullable [] shown(GetsReply.@Nullable Response response) {
        byte[] shown = response == null ? null : response.value();
        if (response != null && response.told() && !Arrays.equals(mark, shown)) {
            mark = null;
            listener.doubted();
        }
        return shown;
    }
}
