/**
 * HTTP/2 towards clients (RFC 9113): connections, streams, requests and responses, on Netty's frames and HPACK, without a channel for each
 * stream. Used by {@code server}, and by the application for settings and meters.
 */
@NullMarked
package dev.postern.core.http2;

import org.jspecify.annotations.NullMarked;
