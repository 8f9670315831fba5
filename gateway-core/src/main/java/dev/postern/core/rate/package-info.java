/**
 * The arithmetic of rates: GCRA, and how often a log line may be written. Numbers in, numbers out. Used by every package that limits a
 * rate.
 */
@NullMarked
package dev.postern.core.rate;

import org.jspecify.annotations.NullMarked;
