/**
 * The engine in memory: every room has one owner event loop, so that its state machine needs no locks. Only the entrance enters here.
 */
@NullMarked
package dev.postern.ratelimit.memory;

import org.jspecify.annotations.NullMarked;
