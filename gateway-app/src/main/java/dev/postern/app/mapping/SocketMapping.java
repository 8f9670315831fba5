package dev.postern.app.mapping;

import dev.postern.app.config.TransportConfig;
import dev.postern.core.config.HostPort;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.TcpKeepAlive;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps the configuration to socket options. One per process: the transport can't change at run time. */
public final class SocketMapping {

    private static final String SYSTEM = "system";

    private final TransportConfig config;
    private final ByteBufAllocator allocator;

    public SocketMapping(TransportConfig config) {
        this.config = config;
        this.allocator = allocator(config.allocator());
    }

    public ByteBufAllocator allocator() {
        return allocator;
    }

    /** Returns the name servers; each is queried after the failure of the one before. */
    public DnsServerAddressStreamProvider nameServers() {
        List<HostPort> servers = config.nameServers();
        return servers.isEmpty()
                ? DnsServerAddressStreamProviders.platformDefault()
                : new SequentialDnsServerAddressStreamProvider(
                        servers.stream().map(HostPort::resolve).toList());
    }

    /**
     * Returns the options of client sockets.
     *
     * @param own overrides the transport's congestion control; null for no override
     */
    public SocketOptions clientSockets(@Nullable String own) {
        return sockets(own, SocketOptions.CLIENT_NOT_SENT_LOW_WATER_MARK, TcpKeepAlive.DISTANT);
    }

    /**
     * Returns the options of sockets to upstreams.
     *
     * @param own overrides the transport's congestion control; null for no override
     */
    public SocketOptions upstreamSockets(@Nullable String own) {
        return sockets(own, 0, TcpKeepAlive.NEAR);
    }

    /** Returns the options of sockets to destinations of forward listeners. */
    public SocketOptions destinationSockets() {
        return sockets(null, 0, TcpKeepAlive.DISTANT);
    }

    private SocketOptions sockets(@Nullable String own, int notSentLowWaterMark, TcpKeepAlive keepAlive) {
        String name = own == null ? config.congestionControl() : own;
        String control = name.equals(SYSTEM) ? "" : name;
        return new SocketOptions(config.tcpNoDelay(), control, notSentLowWaterMark, keepAlive, allocator);
    }

    private static ByteBufAllocator allocator(TransportConfig.Allocator kind) {
        return switch (kind) {
            case AUTO -> ByteBufAllocator.DEFAULT;
            case ADAPTIVE -> new AdaptiveByteBufAllocator();
            case POOLED -> PooledByteBufAllocator.DEFAULT;
        };
    }
}
