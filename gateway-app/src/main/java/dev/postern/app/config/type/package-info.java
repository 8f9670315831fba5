/**
 * Types of configuration values: durations, sizes, rates, shares, addresses, and the annotation that documents a key. Packages
 * {@code config} and {@code config.read} use them.
 */
@NullMarked
package dev.postern.app.config.type;

import org.jspecify.annotations.NullMarked;
