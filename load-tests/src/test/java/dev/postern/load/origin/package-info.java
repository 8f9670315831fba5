/** Tests of what an origin counts. */
@NullMarked
package dev.postern.load.origin;

import org.jspecify.annotations.NullMarked;
