/**
 * The key ring that all replicas share, and what is derived from it: sealed values and a pseudo-random function.
 */
@NullMarked
package dev.postern.core.seal;

import org.jspecify.annotations.NullMarked;
