package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.AttributeKey;
import java.util.Objects;

/**
 * Keep-alive of TCP connections (RFC 1122 section 4.2.3.6): the kernel probes a connection on which nothing arrives, and ends it when the
 * peer acknowledges no probe. So a host that vanished without FIN is noticed while a response or the next message of a tunnel is awaited. A
 * peer that only takes its time acknowledges each probe.
 *
 * @param idle seconds without a segment of the peer until the first probe; 0 for no probes
 * @param interval seconds between two probes
 * @param probes without acknowledgement that end the connection
 */
public record TcpKeepAlive(int idle, int interval, int probes) {

    /** No probes. */
    public static final TcpKeepAlive OFF = new TcpKeepAlive(0, 0, 0);

    /**
     * Upstreams: noticed after 19 s. Longer than the pause of a virtual machine that moves, or than a network needs to find another path; a
     * third of the default of {@code timeouts.first-byte}, so that time is left for another endpoint.
     */
    public static final TcpKeepAlive NEAR = new TcpKeepAlive(10, 3, 3);

    /**
     * Clients and destinations of tunnels: noticed after two minutes. A phone may lose its network for a minute and keep its connection, and
     * its radio is not woken every few seconds.
     */
    public static final TcpKeepAlive DISTANT = new TcpKeepAlive(60, 15, 4);

    private static final AttributeKey<TcpKeepAlive> APPLIED = AttributeKey.valueOf(TcpKeepAlive.class, "applied");
    private static final int SOL_SOCKET = 1;
    private static final int IPPROTO_TCP = 6;

    private static final ChannelOption<Integer> ON = new IntegerUnixChannelOption("SO_KEEPALIVE", SOL_SOCKET, 9);
    private static final ChannelOption<Integer> IDLE = new IntegerUnixChannelOption("TCP_KEEPIDLE", IPPROTO_TCP, 4);
    private static final ChannelOption<Integer> INTERVAL =
            new IntegerUnixChannelOption("TCP_KEEPINTVL", IPPROTO_TCP, 5);
    private static final ChannelOption<Integer> COUNT = new IntegerUnixChannelOption("TCP_KEEPCNT", IPPROTO_TCP, 6);

    /**
     * Sets the options of a TCP socket; of a listening one they pass to each connection that it accepts. Without effect where there is no
     * native transport.
     */
    public void apply(Channel channel) {
        if (idle > 0 && channel instanceof UnixChannel) {
            channel.config().setOption(IDLE, idle);
            channel.config().setOption(INTERVAL, interval);
            channel.config().setOption(COUNT, probes);
            channel.config().setOption(ON, 1);
            channel.attr(APPLIED).set(this);
        }
    }

    /** Returns what was applied to a channel. */
    static TcpKeepAlive of(Channel channel) {
        return Objects.requireNonNullElse(channel.attr(APPLIED).get(), OFF);
    }

    /** Returns the milliseconds after which a peer that has vanished is noticed. */
    int millis() {
        return 1000 * (idle + interval * probes);
    }

    /** Returns the options that the kernel has in force for that socket; {@link #OFF} without a native transport. */
    static TcpKeepAlive readBack(Channel channel) {
        return channel instanceof UnixChannel && option(channel, ON) != 0
                ? new TcpKeepAlive(option(channel, IDLE), option(channel, INTERVAL), option(channel, COUNT))
                : OFF;
    }

    private static int option(Channel channel, ChannelOption<Integer> option) {
        try {
            return Objects.requireNonNullElse(channel.config().getOption(option), 0);
        } catch (ChannelException e) {
            return 0; // closed meanwhile
        }
    }
}
