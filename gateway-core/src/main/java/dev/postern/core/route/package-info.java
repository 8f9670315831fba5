/**
 * Routing snapshot of one configuration: routes, limits by name, internal endpoints, and the matching of requests. Used by {@code http1},
 * {@code http2}, {@code pipeline}, {@code proxy}, {@code extension}, {@code server}, by the modules for tokens and rate limits, and by the
 * application.
 */
@NullMarked
package dev.postern.core.route;

import org.jspecify.annotations.NullMarked;
