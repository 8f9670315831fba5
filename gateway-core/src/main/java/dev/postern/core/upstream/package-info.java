/**
 * Upstreams, their endpoints, the keep-alive pools of each event loop, the choice of an endpoint and its health.
 */
@NullMarked
package dev.postern.core.upstream;

import org.jspecify.annotations.NullMarked;
