/**
 * Utilities for work that leaves an event loop or waits on one: values per loop, mailboxes, batches, deadlines, the drain state. Used by
 * the codecs, {@code upstream}, {@code proxy} and {@code server}, and by auth and ratelimit for their stores.
 */
@NullMarked
package dev.postern.core.transport.loop;

import org.jspecify.annotations.NullMarked;
