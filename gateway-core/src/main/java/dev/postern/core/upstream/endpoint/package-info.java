/**
 * Endpoints of an upstream and how one is chosen: settings, health, weighted round robin, least of two, consistent hashing. Used by
 * {@code upstream}, {@code upstream.connect} and {@code upstream.pool}.
 */
@NullMarked
package dev.postern.core.upstream.endpoint;

import org.jspecify.annotations.NullMarked;
