/**
 * The message that travels the pipeline: one request and its answer with all their state. Everybody may read it; only the
 * event loop of its client connection may touch it.
 */
@NullMarked
package dev.postern.core.exchange;

import org.jspecify.annotations.NullMarked;
