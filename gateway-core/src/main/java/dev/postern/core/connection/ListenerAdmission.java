package dev.postern.core.connection;

import dev.postern.core.exchange.ListenerInfo;

/**
 * Admission rules of a listening channel.
 *
 * @param proxyProtocol whether only trusted proxies may connect
 * @param tls whether connections begin with a TLS handshake
 */
public record ListenerAdmission(ListenerInfo listener, boolean proxyProtocol, boolean tls) {}
