/**
 * Client connections before their first exchange: the limits of connections and requests, the PROXY protocol, and detection of other
 * protocols. Used by {@code http1}, {@code http2}, {@code pipeline}, {@code server} and the application.
 */
@NullMarked
package dev.postern.core.connection;

import org.jspecify.annotations.NullMarked;
