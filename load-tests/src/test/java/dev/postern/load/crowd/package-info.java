/** Tests of what is known about a crowd. */
@NullMarked
package dev.postern.load.crowd;

import org.jspecify.annotations.NullMarked;
