/**
 * What exchanges have in common with those of other programs: the trace context of W3C, and which trace an exchange belongs to. Knows no tracer.
 */
@NullMarked
package dev.postern.core.trace;

import org.jspecify.annotations.NullMarked;
