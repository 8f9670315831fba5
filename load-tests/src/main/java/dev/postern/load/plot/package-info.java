/** Pictures of a run's figures, as SVG written by hand: no library, nothing to load. */
@NullMarked
package dev.postern.load.plot;

import org.jspecify.annotations.NullMarked;
