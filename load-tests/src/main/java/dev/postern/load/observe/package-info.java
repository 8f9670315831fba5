/**
 * Cost of measuring every exchange: in nanoseconds, inside one JVM, and as a share of the gateway's CPU time per
 * request.
 *
 * <p>The only package of load-tests that uses the gateway's classes: a measurement over a socket can't resolve a tenth
 * of a microsecond.
 */
@NullMarked
package dev.postern.load.observe;

import org.jspecify.annotations.NullMarked;
