package dev.postern.load.run;

import java.nio.file.Path;
import java.util.OptionalInt;

/** Installation with tokens for it. */
interface TokenInstallation extends Installation {
    /** Returns the address of a listener with TLS. */
    String tlsUrl();

    /** Returns a file with at least this number of unspent tokens, one a line. */
    Path tokens(int count);

    /** Returns a named pipe that supplies this number of unspent tokens while a program reads it; or a file with them. */
    Path stream(int count);

    /** Returns the number of requests that reached the upstream, if the run can read its access log. */
    OptionalInt visits();
}
