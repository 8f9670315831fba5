package dev.postern.core.transport;

/**
 * Effective socket options, as read back from the kernel.
 *
 * @param noDelay TCP_NODELAY
 * @param congestionControl TCP_CONGESTION; empty where this transport cannot read the option
 * @param notSentLowWaterMark TCP_NOTSENT_LOWAT in bytes; 0 for the default of the system, -1 where this transport cannot read the option
 * @param sendBuffer SO_SNDBUF in bytes, as the kernel counts them; -1 where the option cannot be read
 * @param receiveBuffer SO_RCVBUF in bytes, likewise
 */
public record EffectiveSocketOptions(
        boolean noDelay, String congestionControl, int notSentLowWaterMark, int sendBuffer, int receiveBuffer) {}
