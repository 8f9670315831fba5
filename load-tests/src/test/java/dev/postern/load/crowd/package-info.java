/** Tests of what an origin counts. */
@NullMarked
package dev.postern.load.crowd;

import org.jspecify.annotations.NullMarked;
