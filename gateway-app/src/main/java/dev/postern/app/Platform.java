package dev.postern.app;

import dev.postern.core.dns.DualStackResolverGroup;
import dev.postern.core.dns.NameServers;
import dev.postern.core.transport.Transport;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.function.Function;

/**
 * Platform that a gateway runs on: its sockets with their event loops, its names, and its time.
 *
 * @param transports opens the transport of listeners and upstreams
 * @param admin transport of the admin address
 * @param upstreams returns resolvers for the names of upstreams
 * @param destinations returns resolvers for the names of destinations, which clients choose
 * @param clock time of day
 * @param ticker time of the process, which the event loops have too
 */
record Platform(
        Function<Transport.Kind, Transport> transports,
        Transport admin,
        Function<NameServers, AddressResolverGroup<InetSocketAddress>> upstreams,
        Function<NameServers, AddressResolverGroup<InetSocketAddress>> destinations,
        InstantSource clock,
        Ticker ticker) {

    /** Returns the platform of this process. The admin address has NIO sockets of the JDK, which every machine has. */
    static Platform ofThis() {
        return new Platform(
                Transport::open,
                Transport.open(Transport.Kind.NIO),
                NameServers::upstreams,
                DualStackResolverGroup::new,
                InstantSource.system(),
                Ticker.systemTicker());
    }
}
