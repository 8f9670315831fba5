/** Tests of samples: figures from the metrics page and from the kernel. */
@NullMarked
package dev.postern.load.sample;

import org.jspecify.annotations.NullMarked;
