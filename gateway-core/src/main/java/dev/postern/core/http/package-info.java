/**
 * Parts of a message that HTTP/1.1 and HTTP/2 read alike: heads, fields, methods, authorities, paths and lengths (RFC 9110, RFC 3986),
 * protocols with their names in ALPN, and the table of refusal codes. Plain objects without Netty's channels. Used by all other packages.
 */
@NullMarked
package dev.postern.core.http;

import org.jspecify.annotations.NullMarked;
