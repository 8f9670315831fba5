/**
 * Benchmark {@code load-tests/bench old-new}: CPU time per request of the gateway of another commit and of this
 * project's, in alternating turns.
 */
@NullMarked
package dev.postern.load.oldnew;

import org.jspecify.annotations.NullMarked;
