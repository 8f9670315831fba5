/**
 * HTTP/1.1 towards clients (RFC 9112): requests to exchanges, and responses in arrival order. Used by {@code server}, {@code http2},
 * {@code http1.client} and the application.
 */
@NullMarked
package dev.postern.core.http1;

import org.jspecify.annotations.NullMarked;
