/**
 * Traces: the selection of exchanges, their spans, and the connection to the collector. Spans are created when an exchange has ended, and
 * sent by a thread of its own that drops spans rather than block. Used by the root package, {@code mapping} and the configuration.
 */
@NullMarked
package dev.postern.app.trace;

import org.jspecify.annotations.NullMarked;
