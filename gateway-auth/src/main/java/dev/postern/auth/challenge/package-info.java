/**
 * Challenges of this gateway: derived from the key ring for a route, an origin and a network, and derived again to recognize those that
 * are still open. The rules are plain objects. Used by {@code verify}, {@code handler}, {@code budget}, {@code session} and the root package.
 */
@NullMarked
package dev.postern.auth.challenge;

import org.jspecify.annotations.NullMarked;
