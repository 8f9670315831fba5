package dev.postern.core.dns;

import dev.postern.core.transport.Transport;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;

/**
 * Name servers of this process, and how every look-up queries them: over UDP, and over TCP after a truncated response (RFC 7766 section 5).
 * All resolvers begin with {@link #queries}. Thread-safe.
 *
 * @param servers the DNS servers to query
 */
public record NameServers(Transport transport, DnsServerAddressStreamProvider servers) {

    private static final int STORE_SECONDS = 5;

    /** Returns the settings that all resolvers share. */
    DnsNameResolverBuilder queries() {
        return new DnsNameResolverBuilder()
                .datagramChannelType(transport.datagramChannel())
                .socketChannelType(transport.channel().asSubclass(SocketChannel.class))
                .nameServerProvider(servers);
    }

    /** Returns resolvers for the names of upstreams, which the hosts file and the search domains of this machine may complete. */
    public DnsAddressResolverGroup upstreams() {
        return new DnsAddressResolverGroup(queries());
    }

    /**
     * Returns resolvers for the names of stores, for a client library with its own event loops, which use epoll where it loads. An address is
     * valid for some seconds only, whatever its record says: after a fail-over the name leads to the new master.
     */
    public DnsAddressResolverGroup stores() {
        NameServers those = new NameServers(Transport.open(Transport.Kind.AUTO), servers);
        return new DnsAddressResolverGroup(those.queries().ttl(0, STORE_SECONDS));
    }
}
