/** Tests of the records about simulated clients. */
@NullMarked
package dev.postern.load.crowd;

import org.jspecify.annotations.NullMarked;
