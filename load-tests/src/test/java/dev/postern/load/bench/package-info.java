/** Tests of measurements and their tables. */
@NullMarked
package dev.postern.load.bench;

import org.jspecify.annotations.NullMarked;
