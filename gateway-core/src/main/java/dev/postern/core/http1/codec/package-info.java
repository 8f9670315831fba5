/**
 * Reading and writing HTTP/1.1 (RFC 9112), strict by construction: heads, framing, chunks, trailers. Used by {@code http1} and
 * {@code http1.client}.
 */
@NullMarked
package dev.postern.core.http1.codec;

import org.jspecify.annotations.NullMarked;
