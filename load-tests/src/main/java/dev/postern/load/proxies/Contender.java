package dev.postern.load.proxies;

import java.time.Duration;

/** A server that takes the load in turn with others. */
interface Contender {
    String name();

    /** Puts load on the server that does not count, for so long at least and until it gets no faster. */
    void warmUp(Duration length);

    /** @throws IllegalStateException where not all responses were good */
    Turn turn(Duration length);

    /** Returns when the server uses hardly any CPU time any more, or after some seconds. */
    void awaitQuiet();
}
