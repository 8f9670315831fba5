/** Measurements and their output: CPU time of processes, load generators, spreads, tables with goals. */
@NullMarked
package dev.postern.load.measure;

import org.jspecify.annotations.NullMarked;
