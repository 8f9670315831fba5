/** Tests of the package of the same name. */
@NullMarked
package dev.postern.ratelimit.waiting;

import org.jspecify.annotations.NullMarked;
