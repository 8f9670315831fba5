/**
 * Warm-up of a starting gateway: clients, their tokens, and a stub for the upstream's servers. Plain blocking sockets on loopback, so that
 * only the gateway's code is warmed. Used by {@code WarmUp} alone.
 */
@NullMarked
package dev.postern.app.warm;

import org.jspecify.annotations.NullMarked;
