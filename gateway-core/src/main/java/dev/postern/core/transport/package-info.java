/**
 * Sockets: the transport of the process, options that are set and read back from the kernel, limits of what waits to be written, ends of
 * tunnels. The only package that knows epoll and io_uring. Used by the codecs, {@code connection}, {@code upstream} and {@code server}.
 */
@NullMarked
package dev.postern.core.transport;

import org.jspecify.annotations.NullMarked;
