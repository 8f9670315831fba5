/**
 * Load tests: starts real servers, loads them over loopback sockets, measures, says MET or MISSED.
 *
 * <p>Nobody depends on this room; it depends on the gateway only as a program, and on {@code gateway-auth} for the verifier
 * whose speed it measures.
 */
@NullMarked
package dev.postern.load;

import org.jspecify.annotations.NullMarked;
