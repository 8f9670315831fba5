package dev.postern.core.spi;

import java.util.List;

/** Endpoint rule: chooses a server of an upstream; selected by its name in {@code upstreams[].balance}. */
public interface EndpointRule extends Extension {

    /** Returns the name as in the configuration: kebab-case. */
    String name();

    /** Returns a key of the request for the choice; called once for each exchange. */
    default long key(Request request) {
        return 0;
    }

    /** Creates a chooser for one event loop. Only that loop calls the chooser, so that the chooser may keep state. */
    Chooser open();

    /** Chooser of servers on one event loop. */
    @FunctionalInterface
    interface Chooser {

        /** Returns the index of one of the servers that can be used now, in the order of the configuration; there are at least two. */
        int choose(List<Server> servers, long key);
    }

    /** Server that can be used now. */
    interface Server {

        /** Returns the address, {@code host:port} or a path. */
        String name();

        /** Returns the configured weight. */
        int weight();

        /** Returns the number of exchanges that the server serves now. */
        int busy();
    }
}
