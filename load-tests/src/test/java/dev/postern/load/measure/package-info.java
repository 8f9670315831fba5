/** Tests of what is measured and told. */
@NullMarked
package dev.postern.load.measure;

import org.jspecify.annotations.NullMarked;
