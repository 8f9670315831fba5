/**
 * Traces: which exchanges are traced, what is told of them, and the way to the collector. Spans are made when an exchange has ended, and sent by a
 * thread of its own; losing spans rather than time.
 */
@NullMarked
package dev.postern.app.trace;

import org.jspecify.annotations.NullMarked;
