/**
 * Load shedding: measurements of memory and event loops, the thresholds that decide, and the refusals during an overload. One thread
 * samples, off the request path. Used by {@code connection} and {@code pipeline}, through {@link dev.postern.core.overload.LoadShedState}
 * only.
 */
@NullMarked
package dev.postern.core.overload;

import org.jspecify.annotations.NullMarked;
