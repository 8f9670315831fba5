package dev.postern.core.transport;

/**
 * What the kernel says of a socket.
 *
 * @param noDelay TCP_NODELAY as in force
 * @param congestionControl TCP_CONGESTION as in force; empty where this transport can't read it
 */
public record SocketFacts(boolean noDelay, String congestionControl) {}
