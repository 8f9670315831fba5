/** Tests of the rules of a comparison of two builds. */
@NullMarked
package dev.postern.load.oldnew;

import org.jspecify.annotations.NullMarked;
