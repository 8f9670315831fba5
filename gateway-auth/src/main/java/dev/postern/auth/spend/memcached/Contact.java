package dev.postern.auth.spend.memcached;

import java.net.SocketAddress;
import net.spy.memcached.ConnectionObserver;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection stands, and which mark its server showed on this very connection.
 *
 * <p>Written by the library's I/O thread, which also reads the answers: so a mark here was shown by the process at the other end of the
 * connection on which the answer that is being read arrived. A server that lost its memory by a restart lost the connection too; between
 * the new connection and the new mark there is none, and nothing is FRESH.
 */
final class Contact implements ConnectionObserver {

    private final Runnable onEstablished;
    private final Runnable onLost;
    private volatile boolean connected;
    private volatile byte @Nullable [] mark;

    Contact(Runnable onEstablished, Runnable onLost) {
        this.onEstablished = onEstablished;
        this.onLost = onLost;
    }

    @Override
    public void connectionEstablished(SocketAddress address, int reconnects) {
        mark = null;
        connected = true;
        onEstablished.run();
    }

    @Override
    public void connectionLost(SocketAddress address) {
        mark = null;
        connected = false;
        onLost.run();
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
}
