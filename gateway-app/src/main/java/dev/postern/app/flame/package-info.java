/**
 * Flame graphs of the process: stacks with the stages of the event loops, and the page {@code /flamegraph}. Used by {@code
 * admin.endpoint}.
 */
@NullMarked
package dev.postern.app.flame;

import org.jspecify.annotations.NullMarked;
