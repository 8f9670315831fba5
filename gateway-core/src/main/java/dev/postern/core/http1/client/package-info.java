/** HTTP/1.1 towards upstreams (RFC 9112). Used by the application, which selects the protocol of each upstream. */
@NullMarked
package dev.postern.core.http1.client;

import org.jspecify.annotations.NullMarked;
