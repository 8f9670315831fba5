/** Tests of what experiments and runs write. */
@NullMarked
package dev.postern.load.evidence;

import org.jspecify.annotations.NullMarked;
