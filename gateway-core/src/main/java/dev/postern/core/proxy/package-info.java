/**
 * Passing an exchange on: reverse proxying, tunnels, relay with backpressure, the retry rule, and where a forward proxy may connect
 * to.
 */
@NullMarked
package dev.postern.core.proxy;

import org.jspecify.annotations.NullMarked;
