package dev.postern.core.connection;

import dev.postern.core.exchange.ListenerInfo;

/**
 * Who may come in by a listening channel.
 *
 * @param proxyProtocol whether only trusted proxies may connect
 * @param tls whether connections begin with a handshake
 */
public record ListenerAdmission(ListenerInfo listener, boolean proxyProtocol, boolean tls) {}
