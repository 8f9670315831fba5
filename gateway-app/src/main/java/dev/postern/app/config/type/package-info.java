/**
 * Value types of the configuration: durations, sizes, rates, shares, addresses, and the annotation that documents a key. Used by {@code
 * config}, {@code config.read}, {@code mapping} and the commands.
 */
@NullMarked
package dev.postern.app.config.type;

import org.jspecify.annotations.NullMarked;
