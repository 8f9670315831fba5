/** Tests of HTTP/1.1 over blocking sockets. */
@NullMarked
package dev.postern.app.socket;

import org.jspecify.annotations.NullMarked;
