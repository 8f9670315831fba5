/**
 * Utilities of one event loop: instances per loop, mailboxes and batches, deadlines, the drain state. Used wherever work leaves an event
 * loop or waits on one.
 */
@NullMarked
package dev.postern.core.transport.loop;

import org.jspecify.annotations.NullMarked;
