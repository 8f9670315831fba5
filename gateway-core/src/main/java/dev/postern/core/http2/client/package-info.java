/**
 * HTTP/2 towards upstreams (RFC 9113): one connection with a stream for each exchange. Used by the application, which chooses the protocol
 * of each upstream.
 */
@NullMarked
package dev.postern.core.http2.client;

import org.jspecify.annotations.NullMarked;
