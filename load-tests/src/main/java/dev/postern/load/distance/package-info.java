/** HTTP/2 beside HTTP/1.1 over an emulated distance. */
@NullMarked
package dev.postern.load.distance;

import org.jspecify.annotations.NullMarked;
