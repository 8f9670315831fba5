/** Plots of a run's figures as SVG, written without a library. */
@NullMarked
package dev.postern.load.plot;

import org.jspecify.annotations.NullMarked;
