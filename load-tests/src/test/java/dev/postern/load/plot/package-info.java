/** Tests of plots by their content. */
@NullMarked
package dev.postern.load.plot;

import org.jspecify.annotations.NullMarked;
