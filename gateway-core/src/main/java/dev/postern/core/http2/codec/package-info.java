/**
 * Header blocks of HTTP/2 to heads and back (RFC 9113 section 8, RFC 7541), bounded. Used by {@code http2} and {@code http2.client}.
 */
@NullMarked
package dev.postern.core.http2.codec;

import org.jspecify.annotations.NullMarked;
