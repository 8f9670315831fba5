/** Tests of measurements and their tables. */
@NullMarked
package dev.postern.load.measure;

import org.jspecify.annotations.NullMarked;
