/**
 * The key ring that all replicas share, and what is derived from it: sealed values and a pseudo-random function. Used by auth and rate
 * limits.
 */
@NullMarked
package dev.postern.core.crypto;

import org.jspecify.annotations.NullMarked;
