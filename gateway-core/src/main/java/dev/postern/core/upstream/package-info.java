/**
 * Upstreams: named groups of endpoints with a connection pool for each event loop, circuit breaker, retry budget and name lookups. Used by
 * {@code route}, {@code pipeline}, {@code proxy} and the application.
 */
@NullMarked
package dev.postern.core.upstream;

import org.jspecify.annotations.NullMarked;
