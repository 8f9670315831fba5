package dev.postern.core.dns;

import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Consumer;

/** Looks up whether an address belongs to an owner, such as the operator of a crawler. */
@FunctionalInterface
public interface AddressOwnerLookup {

    /** Final result of a look-up. */
    enum Response {
        YES,
        NO,
        /** No server could be queried, or none responded in time. */
        UNKNOWN
    }

    /**
     * Starts a look-up.
     *
     * @param loop event loop of the caller; the listener runs on it, once
     * @param domains domains of the owner, in lower case, such as {@code example.com}
     */
    void ask(EventLoop loop, InetAddress address, List<String> domains, Consumer<Response> listener);
}
