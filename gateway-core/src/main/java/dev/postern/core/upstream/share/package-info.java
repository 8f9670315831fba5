/**
 * Rules for a full pool: what its holders wait for, who is ended first, and how much one client network may hold. Used by
 * {@code upstream.pool} and {@code proxy}.
 */
@NullMarked
package dev.postern.core.upstream.share;

import org.jspecify.annotations.NullMarked;
