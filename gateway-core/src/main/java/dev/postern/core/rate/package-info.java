/**
 * Rates: GCRA as plain arithmetic, and limits for the rate of log lines. Used by every package that limits a rate.
 */
@NullMarked
package dev.postern.core.rate;

import org.jspecify.annotations.NullMarked;
