/** Tests of pictures by what stands in them. */
@NullMarked
package dev.postern.load.plot;

import org.jspecify.annotations.NullMarked;
