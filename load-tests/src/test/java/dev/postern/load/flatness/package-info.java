/** Tests of cycles, drift and their table. */
@NullMarked
package dev.postern.load.flatness;

import org.jspecify.annotations.NullMarked;
