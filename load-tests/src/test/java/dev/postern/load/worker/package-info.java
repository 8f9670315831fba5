/** Tests of what is measured and told. */
@NullMarked
package dev.postern.load.worker;

import org.jspecify.annotations.NullMarked;
