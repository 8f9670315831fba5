@NullMarked
package dev.postern.load.experiment.doublespend;

import org.jspecify.annotations.NullMarked;
