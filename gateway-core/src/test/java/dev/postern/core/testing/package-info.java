/**
 * Shared fixtures of all modules: real servers on free ports, a clock that the test advances, detection of leaked buffers.
 */
@NullMarked
package dev.postern.core.testing;

import org.jspecify.annotations.NullMarked;
