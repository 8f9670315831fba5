package dev.postern.load.worker;

import java.io.IOException;

/** Connections that made one request each and are then left alone. */
interface Held {
    /** Opens more until there are so many; returns how many there are. */
    int grow(int count) throws IOException;

    /** Whether all are good still, else an error: a connection that was closed meanwhile was no idle one. Returns how many there are. */
    int check() throws IOException;
}
