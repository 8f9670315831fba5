/**
 * An opening, played before it happens: the room's own state machine, a crowd, and a clock that doesn't wait. Only a command enters here.
 */
@NullMarked
package dev.postern.ratelimit.rehearsal;

import org.jspecify.annotations.NullMarked;
