/**
 * Floods against a gateway process, what its other clients notice of them, and what is left of them afterwards. Used by FloodIT and by
 * {@code load-tests/run Floods}.
 */
@NullMarked
package dev.postern.core.testing.flood;

import org.jspecify.annotations.NullMarked;
