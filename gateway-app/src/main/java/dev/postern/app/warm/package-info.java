/**
 * Warm-up of a starting gateway: clients, their tokens, and the site behind it. Plain blocking sockets on loopback, so that only the
 * gateway's code is warmed. Used by the root package.
 */
@NullMarked
package dev.postern.app.warm;

import org.jspecify.annotations.NullMarked;
