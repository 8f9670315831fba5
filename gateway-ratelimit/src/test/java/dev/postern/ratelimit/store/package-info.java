/** Tests of the package of the same name. */
@NullMarked
package dev.postern.ratelimit.store;

import org.jspecify.annotations.NullMarked;
