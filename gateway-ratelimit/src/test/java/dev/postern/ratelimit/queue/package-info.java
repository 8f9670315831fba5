/** Tests of the package of the same name. */
@NullMarked
package dev.postern.ratelimit.queue;

import org.jspecify.annotations.NullMarked;
