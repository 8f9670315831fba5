/**
 * HTTP/2 towards clients (RFC 9113), over Netty's frames and HPACK and without a channel for each stream. Used by {@code server}.
 */
@NullMarked
package dev.postern.core.http2;

import org.jspecify.annotations.NullMarked;
