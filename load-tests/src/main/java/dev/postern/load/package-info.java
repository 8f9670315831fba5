/**
 * Load tests: starts real servers, loads them over loopback sockets, measures, says MET or MISSED.
 *
 * <p>Nobody depends on this room; it depends on the gateway only as a program, and on {@code gateway-auth} and {@code gateway-ratelimit} for
 * the verifier, the ledger and the rooms whose speed it measures by themselves.
 */
@NullMarked
package dev.postern.load;

import org.jspecify.annotations.NullMarked;
