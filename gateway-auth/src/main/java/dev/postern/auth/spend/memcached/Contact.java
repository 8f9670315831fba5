package dev.postern.auth.spend.memcached;

import java.net.SocketAddress;
import java.util.Arrays;
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
    private final Runnable onDoubt;
    private volatile boolean connected;
    private volatile byte @Nullable [] mark;

    /** @param onDoubt the server no longer shows the mark that was verified */
    Contact(Runnable onEstablished, Runnable onLost, Runnable onDoubt) {
        this.onEstablished = onEstablished;
        this.onLost = onLost;
        this.onDoubt = onDoubt;
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

    /**
     * Takes the reply to the {@code gets} of the mark behind spends. Where that is not the verified mark, the server lost its memory, and
     * nothing more is sent until its mark is verified anew.
     *
     * @param answer null when none came
     * @return the mark that the server has, or null
     */
    byte @Nullable [] shown(GetsReply.@Nullable Answer answer) {
        byte[] shown = answer == null ? null : answer.value();
        if (answer != null && answer.told() && !Arrays.equals(mark, shown)) {
            mark = null;
            onDoubt.run();
        }
        return shown;
    }
}
