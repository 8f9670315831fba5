/**
 * Everything that a user may implement: stages, pages of refusals, fields of the exchange log, choice of endpoints. Small interfaces over plain
 * types, found by {@link java.util.ServiceLoader}; no Netty and nothing of the gateway's inside. {@code docs/extending.md} shows how.
 *
 * <p>Every implementation is one object for all connections and is called on event loops: it must be thread-safe and must not wait. What it
 * throws costs the exchange at hand and nothing else.
 */
@NullMarked
package dev.postern.core.spi;

import org.jspecify.annotations.NullMarked;
