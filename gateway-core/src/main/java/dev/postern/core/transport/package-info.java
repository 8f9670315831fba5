/**
 * Event loops, socket options set and read back from the kernel, and what belongs to one loop. The only room that knows epoll.
 */
@NullMarked
package dev.postern.core.transport;

import org.jspecify.annotations.NullMarked;
