/** The documented meters of the gateway, by name, and the histograms behind them. Used by every package that counts or times something. */
@NullMarked
package dev.postern.core.metrics;

import org.jspecify.annotations.NullMarked;
