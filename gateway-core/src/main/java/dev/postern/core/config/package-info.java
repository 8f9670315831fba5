/**
 * Keys of the configuration, as the settings of every module declare them: the annotation that documents a key, the checks of a record, and
 * the types of values. Used by the settings of all modules; {@code dev.postern.app.config.read} reads files into them.
 */
@NullMarked
package dev.postern.core.config;

import org.jspecify.annotations.NullMarked;
