/**
 * Experiments that repeat the results of the five systems that this project descends from, one command each:
 * {@code load-tests/experiments/NAME}. Their results are pages of {@code docs/evidence}.
 */
@NullMarked
package dev.postern.load.experiment;

import org.jspecify.annotations.NullMarked;
