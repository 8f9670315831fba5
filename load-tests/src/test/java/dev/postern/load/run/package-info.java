/** Tests of the counters of a run. */
@NullMarked
package dev.postern.load.run;

import org.jspecify.annotations.NullMarked;
