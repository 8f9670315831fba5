/**
 * Opening connections to endpoints, and what a protocol towards upstreams implements: {@code UpstreamStream}, {@code UpstreamConnection}.
 * Health checks and the PROXY protocol header, too. Used by the pools, {@code proxy}, {@code http1.client} and {@code http2.client}.
 */
@NullMarked
package dev.postern.core.upstream.connect;

import org.jspecify.annotations.NullMarked;
