package dev.postern.app;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Matches the addresses that this process listens on, so that no client reaches the gateway through itself. Thread-safe. */
final class SelfAddresses implements Predicate<InetSocketAddress> {

    private final Set<Integer> ports = new CopyOnWriteArraySet<>();
    private final Set<Integer> clients = new CopyOnWriteArraySet<>();
    private final Set<InetAddress> machine = machine();

    /** Adds the address of an admin listener. */
    void add(InetSocketAddress bound) {
        ports.add(bound.getPort());
    }

    /** Adds the address of a client listener. */
    void addListener(InetSocketAddress bound) {
        clients.add(bound.getPort());
    }

    /** Replaces the addresses of the client listeners. */
    void listeners(Collection<InetSocketAddress> bound) {
        Set<Integer> now = bound.stream().map(InetSocketAddress::getPort).collect(Collectors.toSet());
        clients.addAll(now);
        clients.retainAll(now);
    }

    @Override
    public boolean test(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        return (ports.contains(address.getPort()) || clients.contains(address.getPort()))
                && ip != null
                && (ip.isLoopbackAddress() || ip.isAnyLocalAddress() || machine.contains(ip));
    }

    private static Set<InetAddress> machine() {
        Set<InetAddress> all = new HashSet<>();
        try {
            for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                all.addAll(Collections.list(card.getInetAddresses()));
            }
        } catch (SocketException e) {
            throw new IllegalStateException("the addresses of this machine can't be read", e);
        }
        return Set.copyOf(all);
    }
}
