/**
 * The way of one exchange, written once and in reading order, the base class of every stage on it, and the handler that ends each channel and begins the way. Whoever adds a stage
 * enters here.
 */
@NullMarked
package dev.postern.core.pipeline;

import org.jspecify.annotations.NullMarked;
