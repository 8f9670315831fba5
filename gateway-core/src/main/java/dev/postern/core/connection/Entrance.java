package dev.postern.core.connection;

import dev.postern.core.exchange.Listener;

/**
 * Who may come in by a listening channel.
 *
 * @param proxyProtocol whether only trusted proxies may connect
 * @param tls whether connections begin with a handshake
 */
public record Entrance(Listener listener, boolean proxyProtocol, boolean tls) {}
