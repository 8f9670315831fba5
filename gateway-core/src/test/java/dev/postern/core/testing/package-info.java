/**
 * What the tests of all modules share: real servers on free ports, a clock that is moved by hand, a guard against leaked buffers.
 */
@NullMarked
package dev.postern.core.testing;

import org.jspecify.annotations.NullMarked;
