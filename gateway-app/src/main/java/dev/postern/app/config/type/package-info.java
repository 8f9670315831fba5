/**
 * What values of the configuration are made of: durations, sizes, rates, shares, addresses, and the annotation that documents a key.
 * Whoever adds a kind of value enters here.
 */
@NullMarked
package dev.postern.app.config.type;

import org.jspecify.annotations.NullMarked;
