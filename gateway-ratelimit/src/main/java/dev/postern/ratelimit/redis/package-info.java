/**
 * The engine in Redis: one atomic call per room and event-loop pass, by Redis' own clock; and what to do when Redis is away. Only the
 * entrance enters here.
 */
@NullMarked
package dev.postern.ratelimit.redis;

import org.jspecify.annotations.NullMarked;
