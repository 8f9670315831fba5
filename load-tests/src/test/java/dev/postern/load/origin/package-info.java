/** Tests of the counters of an origin. */
@NullMarked
package dev.postern.load.origin;

import org.jspecify.annotations.NullMarked;
