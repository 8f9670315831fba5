package dev.postern.core.exchange;

import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/** Client connection that an exchange arrived on. Event loop only. */
public final class ClientConnection {

    private final ListenerInfo listener;
    private final EventLoop loop;
    private final InetAddress peer;
    private final int peerPort;
    private final boolean trusted;
    private final Tls tls;
    private final @Nullable InetSocketAddress address;
    private @Nullable String peerText;
    private @Nullable String portText;
    private ClientCertificate.@Nullable Source certificates;
    private @Nullable ClientCertificate certificate;

    /** Whether the client uses TLS, as far as the connection tells. */
    public enum Tls {
        /** The connection is TLS, or the load balancer that opened it says so of the client's connection. */
        ON,
        OFF,
        /** A load balancer opened the connection without TLS, and does not say what the client uses. */
        UNKNOWN
    }

    /**
     * Creates the description of an accepted connection.
     *
     * @param listener the listener that accepted the connection
     * @param loop the one event loop that may access the exchange
     * @param peer remote address
     * @param peerPort remote port
     * @param tls whether the client uses TLS
     * @param address local address that the client connected to, or null when unknown
     */
    public ClientConnection(
            ListenerInfo listener,
            EventLoop loop,
            InetAddress peer,
            int peerPort,
            Tls tls,
            @Nullable InetSocketAddress address) {
        this.listener = listener;
        this.loop = loop;
        this.peer = peer;
        this.trusted = listener.trustedProxies().contains(peer);
        this.peerPort = peerPort;
        this.tls = tls;
        this.address = address;
    }

    /** Creates the description of a connection whose local address is unknown. */
    public ClientConnection(ListenerInfo listener, EventLoop loop, InetAddress peer, int peerPort, boolean secure) {
        this(listener, loop, peer, peerPort, secure ? Tls.ON : Tls.OFF, null);
    }

    /** Sets the source of the client's certificate, where the listener asks for one. */
    public void certificates(ClientCertificate.Source source) {
        certificates = source;
    }

    /** Returns the identity in the certificate of the TLS peer, the same for all exchanges of the connection; null without one. */
    public @Nullable ClientCertificate certificate() {
        ClientCertificate.Source source = certificates;
        if (certificate == null && source != null) {
            X509Certificate presented = source.certificate();
            certificate = presented == null ? null : ClientCertificate.of(presented);
        }
        return certificate;
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

    /** Returns whether the peer is one of the listener's trusted proxies, so that it may speak for clients of its own. */
    public boolean trusted() {
        return trusted;
    }

    public int peerPort() {
        return peerPort;
    }

    /**
     * Returns whether this connection is TLS, or its header of the PROXY protocol says so of the client's connection. Behind a proxy that
     * reports TLS in forwarded fields this is not what the client uses: see {@link Exchange#clientSecure}.
     */
    public boolean secure() {
        return tls == Tls.ON;
    }

    /** Returns whether the client may use TLS: false only if the connection is known to be without. */
    public boolean maybeSecure() {
        return tls != Tls.OFF;
    }

    /** Returns the local address that the client connected to, or null when unknown. */
    public @Nullable InetSocketAddress at() {
        return address;
    }

    /** Returns the local port that the client connected to, as text; empty when unknown. */
    public String portText() {
        String text = portText;
        if (text == null) {
            text = address == null ? "" : Integer.toString(address.getPort());
            portText = text;
        }
        return text;
    }

    /** Returns the address of the peer as text for upstreams: the same for all exchanges of the connection. */
    public String peerText() {
        String text = peerText;
        if (text == null) {
            text = NetUtil.toAddressString(peer);
            peerText = text;
        }
        return text;
    }
}
