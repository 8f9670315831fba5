/**
 * Verification of several signatures of token type 2 at once, in the lanes of a vector unit; and the choice of the library for it. Used by
 * {@code handler} and the root package.
 */
@NullMarked
package dev.postern.auth.batch;

import org.jspecify.annotations.NullMarked;
