/**
 * Gatling simulations, each for one question, with assertions; {@code load-tests/run NAME} starts the servers that they need.
 *
 * <p>Parameters are system properties with defaults, printed at start.
 */
@NullMarked
package dev.postern.load.simulation;

import org.jspecify.annotations.NullMarked;
