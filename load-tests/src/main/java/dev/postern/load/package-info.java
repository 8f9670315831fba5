/**
 * Load tests: start real servers, load them over loopback sockets, measure, and print MET or MISSED.
 *
 * <p>No other module depends on this one. It depends on the gateway only as a program, and on {@code gateway-auth} and
 * {@code gateway-ratelimit} for the verifier, the ledger and the waiting rooms whose speed it measures alone.
 */
@NullMarked
package dev.postern.load;

import org.jspecify.annotations.NullMarked;
