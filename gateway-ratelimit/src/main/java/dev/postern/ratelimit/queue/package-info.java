/**
 * The state machine of a room, as plain objects without Netty: admission, waiting and the order of the queue. Used by all other packages of
 * this module; the room objects are run by {@code memory}. The script of {@code redis} implements the same in Lua, and a model test
 * compares both.
 */
@NullMarked
package dev.postern.ratelimit.queue;

import org.jspecify.annotations.NullMarked;
