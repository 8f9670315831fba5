/**
 * Frames to exchanges and back: HTTP/2 towards clients (RFC 9113) over Netty's frames and HPACK, without a channel for each stream, and
 * the budgets that a client must keep. Nothing outside this room sees a frame.
 */
@NullMarked
package dev.postern.core.http2;

import org.jspecify.annotations.NullMarked;
