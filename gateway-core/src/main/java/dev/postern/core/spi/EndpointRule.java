package dev.postern.core.spi;

import java.util.List;

/** A way to choose a server of an upstream, by its name in {@code upstreams[].balance}. */
public interface EndpointRule extends Extension {

    /** As the configuration says it: kebab-case. */
    String name();

    /** What the request brings to the choice; asked once for each exchange. */
    default long key(Request request) {
        return 0;
    }

    /** A chooser for one event loop, which nobody else calls, so that it may keep what it likes. */
    Chooser open();

    /** Chooses on one event loop. */
    @FunctionalInterface
    interface Chooser {

        /** The index of one of the servers that may be used now, in the order of the configuration; there are two at least. */
        int choose(List<Server> servers, long key);
    }

    /** A server that may be used. */
    interface Server {

        /** Its address, {@code host:port} or a path. */
        String name();

        /** As configured. */
        int weight();

        /** Exchanges that it serves now. */
        int busy();
    }
}
