/**
 * Client connections before they carry exchanges: how many may be open, the PROXY protocol, connections that speak another protocol. Used by
 * {@code http1} and {@code server}.
 */
@NullMarked
package dev.postern.core.connection;

import org.jspecify.annotations.NullMarked;
