/**
 * Frames to exchanges and back: HTTP/2 (RFC 9113), towards clients ({@code Http2Connection}) and towards upstreams ({@code Http2Link}), over
 * Netty's frames and HPACK, without a channel for each stream, and
 * the budgets that the other side must keep. Nothing outside this room sees a frame.
 */
@NullMarked
package dev.postern.core.http2;

import org.jspecify.annotations.NullMarked;
