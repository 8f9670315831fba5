/** Tests that start no process. */
@NullMarked
package dev.postern.load.peer;

import org.jspecify.annotations.NullMarked;
