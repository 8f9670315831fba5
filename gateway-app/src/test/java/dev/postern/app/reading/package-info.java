/** Tests that the gateway decides on the same reading of a request that real servers act on, for all spellings of host and path. */
@NullMarked
package dev.postern.app.reading;

import org.jspecify.annotations.NullMarked;
