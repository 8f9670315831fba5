package dev.postern.load.oldnew;

import dev.postern.load.proxies.Contender;
import dev.postern.load.server.Started;

/** Site of a scenario: the servers that the gateways of both builds share. */
interface Site extends AutoCloseable {
    /**
     * Starts a gateway and its clients.
     *
     * @param started where the processes are added
     */
    Contender start(Build build, Started started);

    @Override
    void close();
}
