package dev.postern.load.oldnew;

import dev.postern.load.proxies.Contender;
import dev.postern.load.server.RunFolder;

/** Site of a scenario: the servers that the gateways of both builds share. */
@FunctionalInterface
interface Site {
    /** Starts a gateway and its clients in the folder of one start. */
    Contender start(Build build, RunFolder start);
}
