/** Evidence: table, values and charts of an experiment or a run, as files. Used by the experiments and by {@code run}. */
@NullMarked
package dev.postern.load.evidence;

import org.jspecify.annotations.NullMarked;
