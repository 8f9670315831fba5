/**
 * Sockets: the transport of the process, socket options that are set and read back from the kernel, limits for pending writes, and tunnel
 * peers. The only package that uses epoll and io_uring. Used by the codecs, {@code connection}, {@code upstream} and {@code server}.
 */
@NullMarked
package dev.postern.core.transport;

import org.jspecify.annotations.NullMarked;
