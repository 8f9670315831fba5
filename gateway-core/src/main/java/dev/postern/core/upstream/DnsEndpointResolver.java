package dev.postern.core.upstream;

import dev.postern.core.http.Field;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointSpec;
import io.netty.resolver.AddressResolver;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.FutureListener;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolver that looks up the names of an upstream again and makes each of their addresses an endpoint. A name whose lookup fails keeps its
 * addresses. Event loop only.
 */
final class DnsEndpointResolver {

    private static final Logger LOG = LoggerFactory.getLogger(DnsEndpointResolver.class);

    private final Upstream upstream;
    private final List<EndpointSpec> specs;
    private final AddressResolver<InetSocketAddress> resolver;
    private final Map<EndpointSpec, List<SocketAddress>> found = new HashMap<>();

    DnsEndpointResolver(Upstream upstream, List<EndpointSpec> specs, AddressResolver<InetSocketAddress> resolver) {
        this.upstream = upstream;
        this.specs = specs;
        this.resolver = resolver;
    }

    void run() {
        for (EndpointSpec spec : specs) {
            if (spec.watched() && spec.address() instanceof InetSocketAddress name) {
                resolver.resolveAll(name)
                        .addListener((FutureListener<List<InetSocketAddress>>) response -> resolved(spec, response));
            }
        }
    }

    private void resolved(EndpointSpec spec, Future<List<InetSocketAddress>> response) {
        if (!response.isSuccess() || response.getNow().isEmpty()) {
            LOG.debug("upstream {}: {} does not resolve now", upstream.name(), spec.address());
            return;
        }
        List<SocketAddress> addresses = response.getNow().stream()
                .distinct()
                .sorted(Comparator.comparing(address -> address.getAddress().getHostAddress()))
                .<SocketAddress>map(address -> address)
                .toList();
        if (!addresses.equals(found.put(spec, addresses))) {
            LOG.info("upstream {}: {} has {} addresses", upstream.name(), spec.address(), addresses.size());
            upstream.endpoints(endpoints());
        }
    }

    private List<Endpoint> endpoints() {
        List<Endpoint> previous = upstream.endpoints().all();
        List<Endpoint> current = new ArrayList<>();
        for (EndpointSpec spec : specs) {
            for (SocketAddress address : found.getOrDefault(spec, List.of(spec.address()))) {
                current.add(previous.stream()
                        .filter(e -> is(e, address, spec) && !current.contains(e))
                        .findFirst()
                        .orElseGet(() -> upstream.added(address, spec)));
            }
        }
        return current;
    }

    private boolean is(Endpoint known, SocketAddress address, EndpointSpec spec) {
        return known.address().equals(address)
                && known.weight() == spec.weight()
                && Objects.equals(value(known.host()), value(upstream.host(spec)));
    }

    private static @Nullable String value(@Nullable Field host) {
        return host == null ? null : host.value();
    }
}
