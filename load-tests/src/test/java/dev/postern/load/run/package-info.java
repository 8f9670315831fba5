/** Tests of runs: their targets. */
@NullMarked
package dev.postern.load.run;

import org.jspecify.annotations.NullMarked;
