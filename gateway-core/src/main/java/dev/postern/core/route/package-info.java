/**
 * The routing snapshot of one configuration: routes, limits by name, internal endpoints, and how a request is matched. Used by the
 * {@code pipeline} and {@code proxy}.
 */
@NullMarked
package dev.postern.core.route;

import org.jspecify.annotations.NullMarked;
