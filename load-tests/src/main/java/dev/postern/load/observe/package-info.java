/**
 * Cost of measuring every exchange, in nanoseconds, inside one JVM: a measurement over a socket can't resolve a tenth of
 * a microsecond. Used by {@code bench}.
 */
@NullMarked
package dev.postern.load.observe;

import org.jspecify.annotations.NullMarked;
