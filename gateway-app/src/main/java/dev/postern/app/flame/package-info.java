/**
 * Flame graphs of the process: merged stacks, time of the event loops by stage, comparisons, and the page {@code /flamegraph}. Used by the
 * root package.
 */
@NullMarked
package dev.postern.app.flame;

import org.jspecify.annotations.NullMarked;
