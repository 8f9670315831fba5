/**
 * Limits against abuse of HTTP/2 (RFC 9113 section 10.5): what one connection may use, counted per frame. Used by {@code http2}, {@code
 * http2.client} and {@code http2.codec}.
 */
@NullMarked
package dev.postern.core.http2.guard;

import org.jspecify.annotations.NullMarked;
