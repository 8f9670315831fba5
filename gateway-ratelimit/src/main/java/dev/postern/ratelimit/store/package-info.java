/**
 * What both engines promise to the handlers: rooms and limits as configured, one question and one response each, and the passes that this
 * node knows to be good. Engines implement {@link dev.postern.ratelimit.store.RoomStore}; handlers ask it.
 */
@NullMarked
package dev.postern.ratelimit.store;

import org.jspecify.annotations.NullMarked;
