/** Meter registry of the process, and how histograms of the event loops are exported. Used by the root package. */
@NullMarked
package dev.postern.app.metrics;

import org.jspecify.annotations.NullMarked;
