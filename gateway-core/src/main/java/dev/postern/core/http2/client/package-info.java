/**
 * HTTP/2 towards upstreams (RFC 9113): one connection with a stream for each exchange. Used by {@code upstream}'s protocol choice in the
 * application.
 */
@NullMarked
package dev.postern.core.http2.client;

import org.jspecify.annotations.NullMarked;
