/** Benchmark of data in tiny pieces: what a byte costs, whatever pieces and frames its sender divides it into. */
@NullMarked
package dev.postern.load.dribble;

import org.jspecify.annotations.NullMarked;
