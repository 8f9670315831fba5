/**
 * The documented meters of the gateway, by name. Whoever counts something takes its name from here.
 */
@NullMarked
package dev.postern.core.metrics;

import org.jspecify.annotations.NullMarked;
