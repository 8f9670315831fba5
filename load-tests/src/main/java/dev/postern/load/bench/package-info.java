/** Benchmarks, one command each: {@code load-tests/bench NAME}. */
@NullMarked
package dev.postern.load.bench;

import org.jspecify.annotations.NullMarked;
