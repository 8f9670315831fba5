/**
 * Upstreams: their endpoints, the keep-alive pools of each event loop, endpoint selection, health checks and the circuit breaker. Used by
 * {@code http1.client}, {@code http2.client}, {@code proxy}, {@code pipeline}, {@code extension}, {@code route} and the application.
 */
@NullMarked
package dev.postern.core.upstream;

import org.jspecify.annotations.NullMarked;
