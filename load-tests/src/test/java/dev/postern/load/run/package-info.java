/** Tests of what the counters of a run say. */
@NullMarked
package dev.postern.load.run;

import org.jspecify.annotations.NullMarked;
