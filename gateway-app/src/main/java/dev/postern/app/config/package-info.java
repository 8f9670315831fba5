/**
 * The whole configuration as records: every key once, with its default, its documentation and its bounds. Whoever adds a setting
 * enters here; {@code config.read} turns a file into these.
 */
@NullMarked
package dev.postern.app.config;

import org.jspecify.annotations.NullMarked;
