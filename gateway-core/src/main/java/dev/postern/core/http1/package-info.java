/**
 * Bytes to exchanges and back: the strict scanner and the writer of HTTP/1.1 (RFC 9112), and the order in which the answers of one
 * connection leave. Nothing outside this room sees framing.
 */
@NullMarked
package dev.postern.core.http1;

import org.jspecify.annotations.NullMarked;
