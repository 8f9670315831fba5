package dev.postern.load.run;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Installation under load: a gateway with tokens for it. */
interface Installation extends AutoCloseable {
    /** Returns scheme, host and port of the gateway. */
    String url();

    /** Returns the same for a listener with TLS. */
    String tlsUrl();

    /** Returns a file with at least this number of unspent tokens, one a line. */
    Path tokens(int count);

    /** Returns a named pipe that supplies this number of unspent tokens while a program reads it; or a file with them. */
    Path stream(int count);

    /** Returns the process of the gateway, if it is on this machine. */
    OptionalLong process();

    /** Returns the number of requests that reached the upstream, if the run can read its access log. */
    OptionalInt visits();

    /** Returns the address of the gateway's own figures, if it is known. */
    Optional<URI> metrics();

    @Override
    void close();
}
