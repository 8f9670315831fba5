/**
 * The state machine of a room, once, as plain objects that know no Netty: who passes, who waits, and where in the line. The engines enter
 * here; the script of the Redis engine says the same in Lua, and a model test holds the two together.
 */
@NullMarked
package dev.postern.ratelimit.queue;

import org.jspecify.annotations.NullMarked;
