/**
 * Pages of the admin address for browsers: rooms, keys and the hidden context, and what all pages share. Used by {@code admin.endpoint} and
 * {@code live}.
 */
@NullMarked
package dev.postern.app.page;

import org.jspecify.annotations.NullMarked;
