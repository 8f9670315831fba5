/**
 * Limits against abuse of HTTP/2 (RFC 9113 section 10.5): what one connection may use up, and what happens then. Used by {@code http2} and
 * {@code http2.client}.
 */
@NullMarked
package dev.postern.core.http2.guard;

import org.jspecify.annotations.NullMarked;
