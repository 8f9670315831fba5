/** Tests across the packages of this module. */
@NullMarked
package dev.postern.ratelimit;

import org.jspecify.annotations.NullMarked;
