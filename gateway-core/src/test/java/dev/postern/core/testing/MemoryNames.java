package dev.postern.core.testing;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolvers that ask the test for the addresses of names, and no name server. */
public final class MemoryNames extends AddressResolverGroup<InetSocketAddress> {

    private final Lookup lookup;

    /** Names as the test knows them. */
    @FunctionalInterface
    public interface Lookup {

        /** Completes the promise with all addresses of a name, at once or later. */
        void resolve(String name, Promise<List<InetAddress>> promise);
    }

    public MemoryNames(Lookup lookup) {
        this.lookup = lookup;
    }

    /** Returns resolvers that know addresses in their text form, and no name. */
    static MemoryNames none() {
        return new MemoryNames((name, promise) -> promise.setFailure(new UnknownHostException(name)));
    }

    @Override
    public AddressResolver<InetSocketAddress> getResolver(EventExecutor executor) {
        return newResolver(executor); // an embedded loop has no end that a resolver could wait for
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new InetNameResolver(executor) {
            @Override
            protected void doResolve(String name, Promise<InetAddress> promise) {
                throw new UnsupportedOperationException();
            }

            @Override
            protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
                InetAddress literal = NetUtil.createInetAddressFromIpAddressString(name);
                if (literal == null) {
                    lookup.resolve(name, promise);
                } else {
                    promise.setSuccess(List.of(literal));
                }
            }
        }.asAddressResolver();
    }
}
