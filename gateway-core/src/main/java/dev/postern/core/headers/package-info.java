/**
 * Header fields that a proxy adds, reads and removes: {@code Forwarded}, {@code X-Forwarded-*}, {@code Via}, {@code Max-Forwards} and
 * hop-by-hop fields. Plain rules. Used by {@code route}, {@code pipeline}, {@code proxy} and the codecs.
 */
@NullMarked
package dev.postern.core.headers;

import org.jspecify.annotations.NullMarked;
