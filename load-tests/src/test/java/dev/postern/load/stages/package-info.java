/** Tests of what is told of the stages. */
@NullMarked
package dev.postern.load.stages;

import org.jspecify.annotations.NullMarked;
