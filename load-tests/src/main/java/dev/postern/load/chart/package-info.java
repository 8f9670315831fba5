/** Charts as SVG and PNG, drawn by XChart in one style. Used by {@code experiment} and {@code run}. */
@NullMarked
package dev.postern.load.chart;

import org.jspecify.annotations.NullMarked;
