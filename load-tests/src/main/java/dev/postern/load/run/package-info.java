/**
 * Runs of Gatling simulations, started by {@code load-tests/run NAME}: they start the servers and check the servers'
 * own counters.
 */
@NullMarked
package dev.postern.load.run;

import org.jspecify.annotations.NullMarked;
