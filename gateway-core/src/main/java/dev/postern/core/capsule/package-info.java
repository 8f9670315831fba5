/**
 * Capsules: the framing of datagrams inside a stream (RFC 9297), for UDP proxying (RFC 9298). Independent of the HTTP version. Used by
 * {@code tunnel}.
 */
@NullMarked
package dev.postern.core.capsule;

import org.jspecify.annotations.NullMarked;
