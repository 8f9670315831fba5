/**
 * The order of the stages, written once with the reason for each place, the base class of every stage, and the handler that starts the chain.
 * Used by {@code http1}, {@code http2} and {@code server}; a new stage begins here.
 */
@NullMarked
package dev.postern.core.pipeline;

import org.jspecify.annotations.NullMarked;
