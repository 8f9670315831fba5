/** Tests of the package of the same name. */
@NullMarked
package dev.postern.ratelimit.redis;

import org.jspecify.annotations.NullMarked;
