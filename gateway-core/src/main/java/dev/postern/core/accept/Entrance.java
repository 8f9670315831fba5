package dev.postern.core.accept;

import dev.postern.core.route.Listener;

/**
 * Who may come in by a listening channel.
 *
 * @param proxyProtocol whether only trusted proxies may connect
 */
public record Entrance(Listener listener, boolean proxyProtocol) {}
