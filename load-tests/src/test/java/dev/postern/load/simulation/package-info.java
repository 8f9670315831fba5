/**
 * Gatling simulations: one question each, with assertions; {@code load-tests/run NAME} starts the servers they need.
 *
 * <p>Parameters are system properties with defaults, printed at start.
 */
@NullMarked
package dev.postern.load.simulation;

import org.jspecify.annotations.NullMarked;
