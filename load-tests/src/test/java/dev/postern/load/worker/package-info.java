/** Tests of measurements and their tables. */
@NullMarked
package dev.postern.load.worker;

import org.jspecify.annotations.NullMarked;
