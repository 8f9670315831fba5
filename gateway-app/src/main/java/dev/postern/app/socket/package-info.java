/**
 * HTTP/1.1 over blocking sockets, for either end of a connection: plain Java without Netty, and without the gateway's own parsers. Used by
 * {@code client}, {@code demo} and {@code warm}, and by the load tests.
 */
@NullMarked
package dev.postern.app.socket;

import org.jspecify.annotations.NullMarked;
