/**
 * The one table of answers that the gateway gives by itself, and their rendering as problem+json (RFC 9457) or a page.
 */
@NullMarked
package dev.postern.core.refusal;

import org.jspecify.annotations.NullMarked;
