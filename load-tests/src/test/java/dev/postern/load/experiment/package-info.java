/** Tests of experiments by what they write. */
@NullMarked
package dev.postern.load.experiment;

import org.jspecify.annotations.NullMarked;
