/** Benchmark {@code load-tests/bench start}: the first half minute of a gateway's load, and its start in the image. */
@NullMarked
package dev.postern.load.start;

import org.jspecify.annotations.NullMarked;
