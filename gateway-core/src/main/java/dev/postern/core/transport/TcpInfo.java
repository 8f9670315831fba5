package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.channel.unix.UnixChannel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * TCP info: counters of the kernel for one TCP socket ({@code struct tcp_info} of {@code linux/tcp.h}); Netty's own class lacks the segment
 * counters.
 *
 * @param roundTripMicros smoothed round-trip time
 * @param retransmitted segments that were sent again
 * @param unacknowledged segments in flight; for a listening socket: connections that wait to be accepted
 * @param backlog for a listening socket: maximum of connections that may wait
 * @param dataSegmentsOut segments with data that were sent, retransmissions included
 */
public record TcpInfo(int roundTripMicros, int retransmitted, int unacknowledged, int backlog, long dataSegmentsOut) {

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;

    /** Length up to and including {@code tcpi_data_segs_out}, which kernels have since 4.6. */
    private static final int LENGTH = 160;

    private static final int UNACKED = 24;
    private static final int SACKED = 28;
    private static final int RTT = 68;
    private static final int TOTAL_RETRANS = 100;
    private static final int DATA_SEGS_OUT = 156;

    private static final ChannelOption<ByteBuffer> OPTION =
            new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, LENGTH);

    /** Reads the counters of a channel, from any thread; null when the channel is closed or its transport cannot report them. */
    public static @Nullable TcpInfo of(Channel channel) {
        if (!(channel instanceof UnixChannel) || !channel.isOpen()) {
            return null;
        }
        try {
            ByteBuffer read = channel.config().getOption(OPTION);
            return read == null || read.remaining() < LENGTH ? null : of(read.order(ByteOrder.nativeOrder()));
        } catch (ChannelException e) {
            return null; // closed meanwhile
        }
    }

    private static TcpInfo of(ByteBuffer info) {
        int start = info.position();
        return new TcpInfo(
                info.getInt(start + RTT),
                info.getInt(start + TOTAL_RETRANS),
                info.getInt(start + UNACKED),
                info.getInt(start + SACKED),
                Integer.toUnsignedLong(info.getInt(start + DATA_SEGS_OUT)));
    }
}
