/**
 * HTTP/1.1 towards upstreams (RFC 9112). Used by {@code upstream}'s protocol choice in the application.
 */
@NullMarked
package dev.postern.core.http1.client;

import org.jspecify.annotations.NullMarked;
