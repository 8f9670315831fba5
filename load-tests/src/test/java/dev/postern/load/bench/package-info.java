/** Tests of what is measured and told. */
@NullMarked
package dev.postern.load.bench;

import org.jspecify.annotations.NullMarked;
