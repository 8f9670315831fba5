package dev.postern.core.server;

import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http.Protocol;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.transport.SocketOptions;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a listener on one address.
 *
 * @param address to bind; port 0 takes a free one
 * @param protocols accepted protocols, at least one; {@code tls} has those offered by ALPN
 * @param proxyProtocol whether connections come from trusted proxies only, and begin with a header of the PROXY protocol
 * @param tls certificates and keys, or null for plain TCP
 */
public record ListenerSettings(
        ListenerInfo listener,
        InetSocketAddress address,
        SocketOptions sockets,
        Set<Protocol> protocols,
        ConnectionSettings limits,
        Http2Limits http2,
        boolean proxyProtocol,
        @Nullable ServerTls tls) {

    public ListenerSettings {
        protocols = Set.copyOf(protocols);
    }

    /** Returns a copy with other certificates. */
    public ListenerSettings with(@Nullable ServerTls other) {
        return new ListenerSettings(listener, address, sockets, protocols, limits, http2, proxyProtocol, other);
    }
}
