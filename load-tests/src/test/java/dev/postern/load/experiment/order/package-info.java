/** Tests of cycles, drift and their table. */
@NullMarked
package dev.postern.load.experiment.order;

import org.jspecify.annotations.NullMarked;
