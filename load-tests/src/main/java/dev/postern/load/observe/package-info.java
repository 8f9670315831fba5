/**
 * What it costs that every exchange is measured: in nanoseconds, inside, and as a share of all that a gateway does for a request.
 *
 * <p>The one room here that knows the gateway's classes: over a socket nobody can see a tenth of a microsecond.
 */
@NullMarked
package dev.postern.load.observe;

import org.jspecify.annotations.NullMarked;
