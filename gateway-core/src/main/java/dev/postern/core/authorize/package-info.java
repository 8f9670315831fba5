/**
 * Decisions for other proxies: the request that a question describes becomes the request of an ordinary exchange, and the answer says whether
 * the proxy may forward it.
 */
@NullMarked
package dev.postern.core.authorize;

import org.jspecify.annotations.NullMarked;
