/** Tests of the package of the same name. */
@NullMarked
package dev.postern.ratelimit.handler;

import org.jspecify.annotations.NullMarked;
