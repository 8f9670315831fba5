package dev.postern.core.exchange;

import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Who asks: the connection that an exchange came by. Event loop only. */
public final class ClientConnection {

    private final ListenerInfo listener;
    private final EventLoop loop;
    private final InetAddress peer;
    private final int peerPort;
    private final boolean secure;
    private final @Nullable InetSocketAddress address;
    private @Nullable String peerText;

    /**
     * @param listener where it was accepted
     * @param loop the one event loop that may touch the exchange
     * @param peer the address at the other end of the connection
     * @param peerPort its port
     * @param secure whether the connection is TLS
     * @param address the address of ours that it connected to, or null when nobody knows
     */
    public ClientConnection(
            ListenerInfo listener,
            EventLoop loop,
            InetAddress peer,
            int peerPort,
            boolean secure,
            @Nullable InetSocketAddress address) {
        this.listener = listener;
        this.loop = loop;
        this.peer = peer;
        this.peerPort = peerPort;
        this.secure = secure;
        this.address = address;
    }

    /** One of whom nobody knows where it connected to. */
    public ClientConnection(ListenerInfo listener, EventLoop loop, InetAddress peer, int peerPort, boolean secure) {
        this(listener, loop, peer, peerPort, secure, null);
    }

    public ListenerInfo listener() {
        return listener;
    }

    public EventLoop loop() {
        return loop;
    }

    public InetAddress peer() {
        return peer;
    }

    public int peerPort() {
        return peerPort;
    }

    public boolean secure() {
        return secure;
    }

    /** The address of ours that it connected to, or null when nobody knows. */
    public @Nullable InetSocketAddress at() {
        return address;
    }

    /** The address of the peer as upstreams are told it: the same for all exchanges of the connection. */
    public String peerText() {
        String text = peerText;
        if (text == null) {
            text = NetUtil.toAddressString(peer);
            peerText = text;
        }
        return text;
    }
}
