package dev.postern.core.upstream;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * For whom a connection to an upstream speaks when it begins with a header of the PROXY protocol: it serves nobody else.
 *
 * @param client who asks; port 0 where a proxy in front of us named the address alone
 * @param at where the client connected to, or null when nobody knows
 */
public record ProxyProtocolSource(
        InetSocketAddress client, @Nullable InetSocketAddress at) {

    static ProxyProtocolSource of(Exchange exchange) {
        ClientConnection client = exchange.client();
        InetAddress address = exchange.clientAddress();
        int port = address.equals(client.peer()) ? client.peerPort() : 0;
        return new ProxyProtocolSource(new InetSocketAddress(address, port), client.at());
    }
}
