/**
 * Conversion between HTTP/2 header blocks and heads (RFC 9113 section 8, RFC 7541), with bounds. Used by {@code http2}, {@code
 * http2.client} and {@code server}.
 */
@NullMarked
package dev.postern.core.http2.codec;

import org.jspecify.annotations.NullMarked;
