package dev.postern.core.transport;

import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Consumer;

/** Finds out whether an address belongs to somebody. */
@FunctionalInterface
public interface AddressOwnerLookup {

    /** What is known of an address in the end. */
    enum Response {
        YES,
        NO,
        /** Nobody could be asked, or nobody answered in time. */
        UNKNOWN
    }

    /**
     * @param loop where it is asked, and told once
     * @param domains of the owner, in small letters, such as {@code example.com}
     */
    void ask(EventLoop loop, InetAddress address, List<String> domains, Consumer<Response> listener);
}
