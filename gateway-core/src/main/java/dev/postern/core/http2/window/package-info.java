/** Receive windows of HTTP/2 that grow with what their readers take (RFC 9113 section 5.2). Used by {@code http2} and {@code http2.client}. */
@NullMarked
package dev.postern.core.http2.window;

import org.jspecify.annotations.NullMarked;
