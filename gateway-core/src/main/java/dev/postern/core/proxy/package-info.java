/**
 * Proxies: reverse proxy and forward proxy, the retry rule, and look-up, policy and connections to the destinations of a forward proxy. Used by the application.
 */
@NullMarked
package dev.postern.core.proxy;

import org.jspecify.annotations.NullMarked;
