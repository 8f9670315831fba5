/**
 * What the protocols read alike: characters, authorities, paths, lengths (RFC 9110, RFC 3986). Whoever turns bytes or frames into heads
 * enters here.
 */
@NullMarked
package dev.postern.core.syntax;

import org.jspecify.annotations.NullMarked;
