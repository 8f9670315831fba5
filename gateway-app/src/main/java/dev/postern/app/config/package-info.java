/**
 * Sections of the configuration that are no settings of a module: every key once, with its default, its documentation and its bounds. Package
 * {@code config.read} creates them from a file; {@code mapping}, {@code reload}, {@code app}, {@code demo} and {@code cli} use them.
 */
@NullMarked
package dev.postern.app.config;

import org.jspecify.annotations.NullMarked;
