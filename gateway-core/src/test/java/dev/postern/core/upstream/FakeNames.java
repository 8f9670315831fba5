package dev.postern.core.upstream;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names and their addresses as a test sets them. */
final class FakeNames extends AddressResolverGroup<InetSocketAddress> {

    private final Map<String, List<InetAddress>> addresses = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean held;

    void set(String name, String... literals) {
        addresses.put(name, Arrays.stream(literals).map(FakeNames::address).toList());
    }

    void fail(String name) {
        addresses.remove(name);
    }

    /** Answers no question until {@link #release}. */
    void hold() {
        held = true;
    }

    void release() {
        held = false;
        waiting.forEach(Runnable::run);
    }

    /** Returns the names that were looked up, in order. */
    List<String> asked() {
        return asked;
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(literal));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal + " (expected: an address)", e);
        }
    }

    private void answer(String name, Promise<List<InetAddress>> promise) {
        @Nullable List<InetAddress> found = addresses.get(name);
        if (found == null) {
            promise.setFailure(new UnknownHostException(name));
        } else {
            promise.setSuccess(found);
        }
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
                asked.add(name);
                if (held) {
                    waiting.add(() -> answer(name, promise));
                } else {
                    answer(name, promise);
                }
            }
        }.asAddressResolver();
    }
}
