/**
 * When the process has more to do than it can: figures of memory and time, the thresholds that decide, and what is refused meanwhile.
 * Sampled off the path by one thread; whoever handles exchanges enters through {@link dev.postern.core.overload.LoadShedState} alone.
 */
@NullMarked
package dev.postern.core.overload;

import org.jspecify.annotations.NullMarked;
