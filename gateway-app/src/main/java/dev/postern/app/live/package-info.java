/** The live page: what the gateway does now, read once a second for all who watch, and told to their browsers as a stream of events. */
@NullMarked
package dev.postern.app.live;

import org.jspecify.annotations.NullMarked;
