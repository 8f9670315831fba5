package dev.postern.core.exchange;

import dev.postern.core.route.Listener;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who asks: the connection that an exchange came by.
 *
 * @param listener where it was accepted
 * @param loop the one event loop that may touch the exchange
 * @param peer the address at the other end of the connection
 * @param peerPort its port
 * @param secure whether the connection is TLS
 * @param at the address of ours that it connected to, or null when nobody knows
 */
public record Client(
        Listener listener,
        EventLoop loop,
        InetAddress peer,
        int peerPort,
        boolean secure,
        @Nullable InetSocketAddress at) {

    /** One of whom nobody knows where it connected to. */
    public Client(Listener listener, EventLoop loop, InetAddress peer, int peerPort, boolean secure) {
        this(listener, loop, peer, peerPort, secure, null);
    }
}
