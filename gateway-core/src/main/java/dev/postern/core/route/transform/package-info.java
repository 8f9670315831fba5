/**
 * Transforms of a route: changes to the fields and paths of requests and responses, redirects, and maintenance mode. Plain rules. Each
 * transform is a component of {@link dev.postern.core.route.transform.RouteTransform}. Used by {@code route}, {@code proxy},
 * {@code extension} and the application.
 */
@NullMarked
package dev.postern.core.route.transform;

import org.jspecify.annotations.NullMarked;
