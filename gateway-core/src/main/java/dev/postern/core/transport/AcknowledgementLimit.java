package dev.postern.core.transport;

import io.netty.channel.Channel;

/**
 * Limit of the time in which a peer must acknowledge what was sent to it (TCP_USER_TIMEOUT): as long as {@link TcpKeepAlive} takes, whose probes
 * the kernel does not send meanwhile. Only for what fits into any receive window: the kernel counts a window that stays closed, too, and an
 * upstream may take its time to read a long body. One for each connection with keep-alive; event loop only.
 */
public final class AcknowledgementLimit {

    /** Bytes that fit: a quarter of the first window of most systems. */
    private static final long SHORT = 16 * 1024;

    private final Channel channel;
    private final int millis;
    private boolean on;

    public AcknowledgementLimit(Channel channel) {
        this.channel = channel;
        this.millis = TcpKeepAlive.of(channel).millis();
    }

    /** Sets the limit for a message with so many bytes of content, or removes it; negative for an unknown number. */
    public void begin(long bytes) {
        boolean wanted = bytes >= 0 && bytes <= SHORT && millis > 0;
        if (wanted != on) {
            on = wanted;
            SocketOptions.userTimeoutMillis(channel, wanted ? millis : 0);
        }
    }
}
