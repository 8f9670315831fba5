package dev.postern.core.dns;

import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.DefaultHostsFileEntriesResolver;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.FutureListener;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Resolver that looks up the IPv4 and the IPv6 addresses of a name at the same time. Once one family is found, the other one must follow
 * within the resolution delay of RFC 8305 section 3; later addresses are not used. Event loop only.
 */
final class DualStackResolver extends AbstractAddressResolver<InetSocketAddress> {

    private final AddressResolver<InetSocketAddress> ipv4;
    private final AddressResolver<InetSocketAddress> ipv6;
    private final DefaultHostsFileEntriesResolver hosts;
    private final Duration delay;

    /** @param delay the resolution delay */
    DualStackResolver(
            EventExecutor loop,
            AddressResolver<InetSocketAddress> ipv4,
            AddressResolver<InetSocketAddress> ipv6,
            DefaultHostsFileEntriesResolver hosts,
            Duration delay) {
        super(loop, InetSocketAddress.class);
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
        this.hosts = hosts;
        this.delay = delay;
    }

    @Override
    protected boolean doIsResolved(InetSocketAddress address) {
        return !address.isUnresolved();
    }

    @Override
    protected void doResolve(InetSocketAddress name, Promise<InetSocketAddress> promise) {
        resolveAll(name).addListener((FutureListener<List<InetSocketAddress>>) done -> {
            if (done.isSuccess()) {
                promise.trySuccess(done.getNow().get(0));
            } else {
                promise.tryFailure(done.cause());
            }
        });
    }

    @Override
    protected void doResolveAll(InetSocketAddress name, Promise<List<InetSocketAddress>> promise) {
        List<InetAddress> known = withoutDns(name.getHostString());
        if (known != null) {
            promise.setSuccess(known.stream()
                    .map(address -> new InetSocketAddress(address, name.getPort()))
                    .toList());
            return;
        }
        Join join = new Join(promise);
        ipv4.resolveAll(name).addListener((FutureListener<List<InetSocketAddress>>) done -> join.add(0, done));
        ipv6.resolveAll(name)
                .addListener((FutureListener<List<InetSocketAddress>>) done -> join.add(join.found.size(), done));
    }

    /** Returns a literal address, or the entries of the hosts file: an entry of one family excludes DNS for both. */
    private @Nullable List<InetAddress> withoutDns(String name) {
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(name);
        return literal == null ? hosts.addresses(name, ResolvedAddressTypes.IPV4_PREFERRED) : List.of(literal);
    }

    /** Responses of one look-up; IPv4 addresses come first. */
    private final class Join {

        private final Promise<List<InetSocketAddress>> promise;
        private final List<InetSocketAddress> found = new ArrayList<>(4);
        private int outstanding = 2;
        private @Nullable Throwable failure;
        private @Nullable Future<?> timer;

        Join(Promise<List<InetSocketAddress>> promise) {
            this.promise = promise;
        }

        void add(int index, Future<List<InetSocketAddress>> done) {
            if (promise.isDone()) {
                return;
            }
            outstanding--;
            if (done.isSuccess()) {
                found.addAll(index, done.getNow());
            } else if (failure == null || DnsNameResolver.isTimeoutError(done.cause())) {
                failure = done.cause();
            }
            if (outstanding == 0) {
                end();
            } else if (!found.isEmpty()) {
                timer = executor().schedule(this::end, delay.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        private void end() {
            if (timer != null) {
                timer.cancel(false);
            }
            if (found.isEmpty() && failure != null) {
                promise.tryFailure(failure);
            } else {
                promise.trySuccess(found);
            }
        }
    }
}
