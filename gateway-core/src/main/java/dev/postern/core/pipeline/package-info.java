/**
 * The way of one exchange, written once and in reading order, and the base class of every handler on it. Whoever adds a stage
 * enters here.
 */
@NullMarked
package dev.postern.core.pipeline;

import org.jspecify.annotations.NullMarked;
