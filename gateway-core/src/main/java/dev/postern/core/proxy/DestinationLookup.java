package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Refusal;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.route.ForwardPolicy;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Look-up of a destination: resolves its name within a deadline, and checks every address against the policy. The caller connects to the
 * addresses that were checked, so that a name cannot change in between. Thread-safe.
 *
 * @param resolver finds the addresses of both families, so that none is unchecked
 * @param destinations decides about each address
 * @param sockets budget of which each look-up of a name takes one for each family
 * @param timeout for all queries of one look-up
 */
public record DestinationLookup(
        AddressResolverGroup<InetSocketAddress> resolver,
        DestinationPolicy destinations,
        OutboundSockets sockets,
        Duration timeout) {

    /** Sockets of one look-up, which has a source port of its own for each family. */
    private static final int SOCKETS = 2;

    static final Duration TIMEOUT = Duration.ofSeconds(5);

    public DestinationLookup(
            AddressResolverGroup<InetSocketAddress> resolver, DestinationPolicy destinations, OutboundSockets sockets) {
        this(resolver, destinations, sockets, TIMEOUT);
    }

    /** Passes on the addresses of a destination, at least one; refuses the exchange when there are none or one is forbidden. */
    void find(
            Exchange exchange, ForwardPolicy policy, Destination destination, Consumer<List<InetSocketAddress>> found) {
        if (!DestinationPolicy.nameAllowed(policy, destination)) {
            exchange.refuse(Refusal.DESTINATION_FORBIDDEN);
            return;
        }
        AddressPrefix client = exchange.clientPrefix();
        int needed = destination.literal() ? 0 : SOCKETS;
        if (!sockets.take(client, needed)) {
            ForwardProxy.noSocket(exchange);
            return;
        }
        Future<List<InetSocketAddress>> lookup =
                resolver.getResolver(exchange.loop()).resolveAll(destination.unresolved());
        lookup.addListener(done -> sockets.give(client, needed));
        if (!lookup.isDone()) {
            limit(exchange, lookup);
        }
        lookup.addListener((Future<List<InetSocketAddress>> done) -> {
            if (!exchange.ended() && !exchange.responding()) {
                check(exchange, policy, done, found);
            }
        });
    }

    private void limit(Exchange exchange, Future<?> lookup) {
        Future<?> timer = exchange.loop()
                .schedule(
                        () -> exchange.refuse(Refusal.DESTINATION_LOOKUP_TIMEOUT),
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        lookup.addListener(done -> timer.cancel(false));
        exchange.whenEnded(ended -> timer.cancel(false));
    }

    private void check(
            Exchange exchange,
            ForwardPolicy policy,
            Future<List<InetSocketAddress>> done,
            Consumer<List<InetSocketAddress>> found) {
        if (DnsNameResolver.isTimeoutError(done.cause())) {
            exchange.refuse(Refusal.DESTINATION_LOOKUP_TIMEOUT);
        } else if (!done.isSuccess() || done.getNow().isEmpty()) {
            exchange.refuse(Refusal.DESTINATION_UNRESOLVED);
        } else if (!allAllowed(policy, done.getNow())) {
            exchange.refuse(Refusal.DESTINATION_FORBIDDEN);
        } else {
            found.accept(done.getNow());
        }
    }

    /** Returns whether all are allowed: a name of which one address is internal is not trusted. */
    private boolean allAllowed(ForwardPolicy policy, List<InetSocketAddress> addresses) {
        for (InetSocketAddress one : addresses) {
            if (!destinations.addressAllowed(policy.allowPrivate(), one)) {
                return false;
            }
        }
        return true;
    }
}
