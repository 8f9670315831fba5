package dev.postern.load.worker;

import java.io.IOException;

/** Held connections: each made one request and then stays idle. */
interface Held {
    /** Opens connections up to the given number and returns the number of open ones. */
    int grow(int count) throws IOException;

    /**
     * Checks that all connections are still open and returns their number; fails if one was closed, because it was not
     * idle.
     */
    int check() throws IOException;
}
