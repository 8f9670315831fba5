/** One reading of a request: what the gateway decides on is what real servers of others act on, however host and path are spelled. */
@NullMarked
package dev.postern.app.reading;

import org.jspecify.annotations.NullMarked;
