package dev.postern.app.mapping;

import dev.postern.app.config.TransportConfig;
import dev.postern.app.config.type.HostPort;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.Transport;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the configuration means to sockets. One for the process: how it talks to the kernel can't change while it runs. */
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

    /** Asked for the addresses of names, each after the one before it failed. */
    public DnsServerAddressStreamProvider nameServers() {
        List<HostPort> servers = config.nameServers();
        return servers.isEmpty()
                ? DnsServerAddressStreamProviders.platformDefault()
                : new SequentialDnsServerAddressStreamProvider(
                        servers.stream().map(HostPort::resolve).toList());
    }

    public Transport.Kind transport() {
        return switch (config.kind()) {
            case EPOLL -> Transport.Kind.EPOLL;
            case IO_URING -> Transport.Kind.IO_URING;
            case NIO -> Transport.Kind.NIO;
            case AUTO -> Transport.Kind.AUTO;
        };
    }

    /** @param own what overrides the transport's congestion control, or null */
    public SocketOptions sockets(@Nullable String own) {
        String name = own == null ? config.congestionControl() : own;
        return new SocketOptions(config.tcpNoDelay(), name.equals(SYSTEM) ? "" : name, allocator);
    }

    private static ByteBufAllocator allocator(TransportConfig.Allocator kind) {
        return switch (kind) {
            case AUTO -> ByteBufAllocator.DEFAULT;
            case ADAPTIVE -> new AdaptiveByteBufAllocator();
            case POOLED -> PooledByteBufAllocator.DEFAULT;
        };
    }
}
