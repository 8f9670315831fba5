package dev.postern.core.transport;

/**
 * What the kernel says of a socket.
 *
 * @param noDelay TCP_NODELAY as in force
 * @param congestionControl TCP_CONGESTION as in force; empty where this transport can't read it
 * @param sendBuffer SO_SNDBUF in bytes, as the kernel counts them; -1 where it can't be read
 * @param receiveBuffer SO_RCVBUF in bytes, likewise
 */
public record EffectiveSocketOptions(boolean noDelay, String congestionControl, int sendBuffer, int receiveBuffer) {}
