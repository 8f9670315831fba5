@NullMarked
package dev.postern.load.experiment.queue;

import org.jspecify.annotations.NullMarked;
