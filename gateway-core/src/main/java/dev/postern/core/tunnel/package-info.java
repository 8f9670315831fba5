/**
 * Tunnels: the relays of bytes (CONNECT, upgrades) and of datagrams (CONNECT-UDP) between a client and a destination, with their time
 * limits. Used by {@code proxy}.
 */
@NullMarked
package dev.postern.core.tunnel;

import org.jspecify.annotations.NullMarked;
