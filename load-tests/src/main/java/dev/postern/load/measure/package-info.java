/** What is measured and how it is told: CPU time of processes, drivers, spreads, tables with goals. */
@NullMarked
package dev.postern.load.measure;

import org.jspecify.annotations.NullMarked;
