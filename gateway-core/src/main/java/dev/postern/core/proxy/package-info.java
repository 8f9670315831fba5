/**
 * Proxies: reverse proxy and forward proxy, tunnels, relay with backpressure, the retry rule, and the policy for destinations of a forward
 * proxy. Used by the application.
 */
@NullMarked
package dev.postern.core.proxy;

import org.jspecify.annotations.NullMarked;
