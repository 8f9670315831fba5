/** Experiment {@code double-spend}: the check that took 40 ms, the rejected causes, the real one, and the check in the gateway. */
@NullMarked
package dev.postern.load.experiment.doublespend;

import org.jspecify.annotations.NullMarked;
