/**
 * Interfaces that a user may implement: stages, pages of refusals, fields of the exchange log, choice of endpoints. Small interfaces over
 * plain types, found by {@link java.util.ServiceLoader}; without Netty types and internal types of the gateway. {@code docs/extending.md}
 * shows how. Used by {@code extension}, which adapts implementations to the pipeline, {@code exchange} and {@code upstream}.
 *
 * <p>Every implementation is one object for all connections and is called on event loops: it must be thread-safe and must not block. An
 * exception of an implementation fails only the current exchange.
 */
@NullMarked
package dev.postern.core.spi;

import org.jspecify.annotations.NullMarked;
