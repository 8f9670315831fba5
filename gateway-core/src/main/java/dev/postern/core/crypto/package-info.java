/**
 * The key ring that all replicas share, and what is derived from its secrets: sealed values and a pseudo-random function. Used by auth and
 * ratelimit.
 */
@NullMarked
package dev.postern.core.crypto;

import org.jspecify.annotations.NullMarked;
