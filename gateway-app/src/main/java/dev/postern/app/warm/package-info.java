/**
 * Both ends of the exchanges that a starting gateway has with itself: clients, their tokens, and what stands in for a server. Plain blocking
 * sockets on loopback, so that what gets warm is the gateway. Only the warm-up enters here.
 */
@NullMarked
package dev.postern.app.warm;

import org.jspecify.annotations.NullMarked;
