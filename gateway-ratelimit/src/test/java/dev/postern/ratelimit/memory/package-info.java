/** Tests of the package of the same name. */
@NullMarked
package dev.postern.ratelimit.memory;

import org.jspecify.annotations.NullMarked;
