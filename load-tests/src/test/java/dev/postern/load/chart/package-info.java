/** Tests of charts by the files that they write. */
@NullMarked
package dev.postern.load.chart;

import org.jspecify.annotations.NullMarked;
