package dev.postern.core.dns;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultHostsFileEntriesResolver;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Group of resolvers that find the addresses of both families (docs/adr/0035-look-up-both-families.md), with one cache for all loops. */
public final class DualStackResolverGroup extends AddressResolverGroup<InetSocketAddress> {

    /** Short enough for a second name server within the deadline of a look-up. */
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(2);

    /** Recommended by RFC 8305 section 8. */
    private static final Duration RESOLUTION_DELAY = Duration.ofMillis(50);

    /** Bounds the cache, together with the limits of clients, and the time for which one forged response lasts. */
    private static final int MAX_TTL_SECONDS = 60;

    /** Otherwise each tunnel to a name with one family would query the other one again. */
    private static final int NEGATIVE_TTL_SECONDS = 5;

    private final DnsAddressResolverGroup ipv4;
    private final DnsAddressResolverGroup ipv6;
    private final DefaultHostsFileEntriesResolver hosts = new DefaultHostsFileEntriesResolver();
    private final Duration delay;

    public DualStackResolverGroup(NameServers servers) {
        this(servers, QUERY_TIMEOUT, RESOLUTION_DELAY);
    }

    /**
     * @param queryTimeout time for the response of one server
     * @param delay time for one family after the other one is found
     */
    public DualStackResolverGroup(NameServers servers, Duration queryTimeout, Duration delay) {
        DnsNameResolverBuilder settings = servers.queries()
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution) // another source port
                .searchDomains(List.of()) // otherwise the families could be of different names
                .queryTimeoutMillis(queryTimeout.toMillis())
                .ttl(0, MAX_TTL_SECONDS)
                .negativeTtl(NEGATIVE_TTL_SECONDS);
        this.ipv4 = new DnsAddressResolverGroup(settings.copy().resolvedAddressTypes(ResolvedAddressTypes.IPV4_ONLY));
        this.ipv6 = new DnsAddressResolverGroup(settings.copy().resolvedAddressTypes(ResolvedAddressTypes.IPV6_ONLY));
        this.delay = delay;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new DualStackResolver(executor, ipv4.getResolver(executor), ipv6.getResolver(executor), hosts, delay);
    }

    @Override
    public void close() {
        super.close();
        ipv4.close();
        ipv6.close();
    }
}
