/**
 * Types of configuration values that only this module needs, beside those of {@code dev.postern.core.config}. Packages {@code config} and
 * {@code config.read} use them.
 */
@NullMarked
package dev.postern.app.config.type;

import org.jspecify.annotations.NullMarked;
