/**
 * Addresses as plain values: ranges, prefixes that count as one client or one network, NAT64. Knows no sockets and no channels. Used by
 * {@code dns}, {@code exchange}, {@code connection}, {@code upstream}, {@code route}, {@code proxy}, by the modules for tokens and rate
 * limits, and by the application.
 */
@NullMarked
package dev.postern.core.net;

import org.jspecify.annotations.NullMarked;
