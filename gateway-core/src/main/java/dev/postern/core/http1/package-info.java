/**
 * HTTP/1.1 towards clients (RFC 9112): requests to exchanges, and responses in arrival order. Used by {@code server}.
 */
@NullMarked
package dev.postern.core.http1;

import org.jspecify.annotations.NullMarked;
