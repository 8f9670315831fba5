/**
 * Codec of HTTP/1.1 (RFC 9112), strict by construction: heads, framing, chunks, trailers. Used by {@code http1}, {@code http1.client},
 * {@code http2}, {@code http2.client}, {@code http2.codec}, {@code server} and the application.
 */
@NullMarked
package dev.postern.core.http1.codec;

import org.jspecify.annotations.NullMarked;
