package dev.postern.load.proxies;

import java.time.Duration;

/** Contender: a server that takes the load in turn with others. */
public interface Contender {
    String name();

    /** Puts load that does not count on the server, at least for the given time and until the server gets no faster. */
    void warmUp(Duration length);

    /**
     * Takes a turn that counts.
     *
     * @throws IllegalStateException if not all responses were good
     */
    Turn turn(Duration length);

    /** Returns when the server uses hardly any CPU time, or after some seconds. */
    void awaitQuiet();
}
