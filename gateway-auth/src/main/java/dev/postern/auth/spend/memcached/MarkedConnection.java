package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.memcached.command.GetsReply;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Marked connection: whether a connection is established, and the epoch marker that was read on this connection.
 *
 * <p>Written by the I/O thread, which also reads the responses. So the marker belongs to the server process that sent the response being
 * read. A server that lost its memory by a restart lost the connection too. A new connection has no marker until one is verified, and
 * meanwhile no token is FRESH.
 */
public final class MarkedConnection {

    private final Listener listener;
    private volatile boolean connected;
    private volatile byte @Nullable [] marker;

    /** Listener for events of the connection, called on the thread of the connection. */
    interface Listener {

        default void established() {}

        default void lost() {}

        /** Called when the server returned another marker than the verified one. */
        default void doubted() {}

        /** Called with the cause when the connection was not established or has ended. */
        default void failed(Throwable cause) {}
    }

    MarkedConnection(Listener listener) {
        this.listener = listener;
    }

    /** Takes that the connection is established, for the first time or again. */
    public void established() {
        marker = null;
        connected = true;
        listener.established();
    }

    /** Takes that the connection is lost. */
    public void lost() {
        marker = null;
        connected = false;
        listener.lost();
    }

    /** Takes the cause when the connection was not established or has ended. */
    public void failed(Throwable cause) {
        listener.failed(cause);
    }

    boolean connected() {
        return connected;
    }

    /** Returns the verified marker, or null. */
    byte @Nullable [] marker() {
        return marker;
    }

    /** Sets the verified marker; null when the marker is not verified any more. */
    public void marker(byte @Nullable [] verified) {
        marker = verified;
    }

    /**
     * Takes the reply to the {@code gets} of the marker behind spends. If the marker differs from the verified one, the server lost its
     * memory, and no more spends are sent until the marker is verified again.
     *
     * @param response null when there was none
     * @return the marker of the server, or null
     */
    public byte @Nullable [] found(GetsReply.@Nullable Response response) {
        byte[] found = response == null ? null : response.value();
        if (response != null && response.known() && !Arrays.equals(marker, found)) {
            marker = null;
            listener.doubted();
        }
        return found;
    }
}
