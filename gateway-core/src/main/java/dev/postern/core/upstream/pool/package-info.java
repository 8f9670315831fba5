/**
 * Connection pools of one event loop, for HTTP/1.1 and HTTP/2: leases, acquire queue, permits, idle connections. Used by {@code upstream} and
 * {@code proxy}.
 */
@NullMarked
package dev.postern.core.upstream.pool;

import org.jspecify.annotations.NullMarked;
