/**
 * What a route changes of the requests and responses that pass it, and what it responds by itself: fields, paths, redirects, maintenance.
 * Plain rules. A new one is named in {@link dev.postern.core.route.transform.RouteTransform}.
 */
@NullMarked
package dev.postern.core.route.transform;

import org.jspecify.annotations.NullMarked;
