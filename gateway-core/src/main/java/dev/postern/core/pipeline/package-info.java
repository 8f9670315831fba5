/**
 * Pipeline: the order of the stages, written once with the reason for each position; the base class of stages; and the handler that starts
 * the chain. Used by {@code proxy}, {@code extension}, {@code server}, by the modules for tokens and rate limits, and by the application.
 */
@NullMarked
package dev.postern.core.pipeline;

import org.jspecify.annotations.NullMarked;
