/**
 * The interface {@link dev.postern.ratelimit.store.RoomStore}, settings of rooms and limits, and the cache of passes on this node. The
 * packages {@code memory} and {@code redis} implement the interface; {@code handler} uses it.
 */
@NullMarked
package dev.postern.ratelimit.store;

import org.jspecify.annotations.NullMarked;
