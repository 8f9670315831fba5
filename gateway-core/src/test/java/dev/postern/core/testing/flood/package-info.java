/**
 * Floods against a gateway process, their effect on other clients, and the resources in use afterwards. Used by FloodIT and by
 * {@code load-tests/run Floods}.
 */
@NullMarked
package dev.postern.core.testing.flood;

import org.jspecify.annotations.NullMarked;
