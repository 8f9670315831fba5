package dev.postern.core.upstream.connect;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Source that the PROXY protocol header of a connection to an upstream names; the connection serves this client alone.
 *
 * @param client the client; port 0 where a proxy in front of the gateway named the address alone
 * @param at the address that the client connected to, or null when unknown
 */
public record ProxyProtocolSource(
        InetSocketAddress client, @Nullable InetSocketAddress at) {

    public static ProxyProtocolSource of(Exchange exchange) {
        ClientConnection client = exchange.client();
        InetAddress address = exchange.clientAddress();
        int port = address.equals(client.peer()) ? client.peerPort() : 0;
        return new ProxyProtocolSource(new InetSocketAddress(address, port), client.at());
    }
}
