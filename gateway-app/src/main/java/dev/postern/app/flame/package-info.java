/**
 * Flame graphs of the process: stacks with the stages of the event loops, and the page {@code /flamegraph}. Used by the root package.
 */
@NullMarked
package dev.postern.app.flame;

import org.jspecify.annotations.NullMarked;
