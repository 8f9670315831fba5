/** Tests of the module's structure. */
@NullMarked
package dev.postern.load;

import org.jspecify.annotations.NullMarked;
