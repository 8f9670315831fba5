package dev.postern.load.oldnew;

import dev.postern.load.measure.LoadRun;
import java.time.Duration;

/** Clients of one gateway, in processes of their own. */
interface Clients {
    /** Puts load on a gateway that has just started, for about the given time; failed requests are ignored. */
    void warmUp(Duration length);

    /**
     * Sends requests for about the given time.
     *
     * @throws IllegalStateException if a response was not good
     */
    LoadRun send(Duration length);
}
