package dev.postern.core.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.transport.piece.PieceJoiner;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.channel.unix.UnixChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Socket options that the gateway sets on TCP sockets, of clients and upstreams alike.
 *
 * @param noDelay TCP_NODELAY: no segment waits for the acknowledgement of the previous one
 * @param congestionControl name of the kernel's algorithm, such as {@code bbr}; empty for the default of the system
 * @param notSentLowWaterMark TCP_NOTSENT_LOWAT in bytes: the kernel accepts data only while fewer bytes wait to be sent for the first time,
 *     so that the rest waits in the gateway, where a write budget counts it; 0 for the default of the system
 * @param keepAlive probes of silent connections
 * @param allocator allocator for the buffers of the channel
 */
public record SocketOptions(
        boolean noDelay,
        String congestionControl,
        int notSentLowWaterMark,
        TcpKeepAlive keepAlive,
        ByteBufAllocator allocator) {

    /**
     * {@link #notSentLowWaterMark} of client sockets: more than a congestion window of most clients, and less than a slow client could make
     * the kernel buffer, which is 4 MiB by default.
     */
    public static final int CLIENT_NOT_SENT_LOW_WATER_MARK = 128 * 1024;

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_CONGESTION = 13;
    private static final int TCP_NOTSENT_LOWAT = 25;
    private static final int NAME_LENGTH = 16;
    private static final int TCP_USER_TIMEOUT = 18;
    private static final long LEAST_USER_TIMEOUT_MILLIS = 20_000;

    /** Netty's default high water mark equals its largest read, so that each full read would pause the other side. */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(128 * 1024, 512 * 1024);

    /**
     * One read in each pass of the event loop, of at most 64 KiB; then the other connections have their turn. Netty's default is up to
     * sixteen reads, whose work can stop a loop for a second. Its handles are of one channel each.
     */
    private static final RecvByteBufAllocator ONE_READ =
            new AdaptiveRecvByteBufAllocator(64, 2048, PieceJoiner.MAX).maxMessagesPerRead(1);

    private static final ChannelOption<ByteBuffer> CONGESTION =
            new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, NAME_LENGTH);

    private static final ChannelOption<Integer> NOT_SENT =
            new IntegerUnixChannelOption("TCP_NOTSENT_LOWAT", IPPROTO_TCP, TCP_NOTSENT_LOWAT);

    private static final ChannelOption<Integer> USER_TIMEOUT =
            new IntegerUnixChannelOption("TCP_USER_TIMEOUT", IPPROTO_TCP, TCP_USER_TIMEOUT);

    /**
     * Sets all options on a new channel but those of keep-alive, which an accepted one has of its listening socket; returns false when the
     * kernel rejected the congestion control (unknown or not permitted), so that the default of the system stays in force.
     */
    public boolean apply(Channel channel) {
        channel.config().setOption(ChannelOption.TCP_NODELAY, noDelay);
        applyLocal(channel);
        if (!(channel instanceof UnixChannel)) {
            return congestionControl.isEmpty();
        }
        if (notSentLowWaterMark > 0) {
            channel.config().setOption(NOT_SENT, notSentLowWaterMark);
        }
        if (congestionControl.isEmpty()) {
            return true;
        }
        try {
            byte[] name = congestionControl.getBytes(US_ASCII);
            ByteBuffer value = ByteBuffer.allocateDirect(NAME_LENGTH);
            value.put(name, 0, Math.min(name.length, NAME_LENGTH - 1)).position(0);
            return channel.config().setOption(CONGESTION, value);
        } catch (ChannelException e) {
            return false;
        }
    }

    /** Sets the options that apply to a Unix socket. */
    public void applyLocal(Channel channel) {
        channel.config().setAllocator(allocator);
        channel.config().setWriteBufferWaterMark(WATER_MARK);
        channel.config().setRecvByteBufAllocator(ONE_READ);
    }

    /**
     * Lets the kernel close a TCP connection whose peer acknowledges nothing for that time, or keeps its window closed (TCP_USER_TIMEOUT);
     * at least 20 s, so that no loss of some packets does. Without effect on other sockets, and without native transport.
     */
    public static void userTimeout(Channel channel, Duration time) {
        if (channel instanceof UnixChannel && channel.remoteAddress() instanceof InetSocketAddress) {
            userTimeoutMillis(
                    channel, (int) Math.min(Integer.MAX_VALUE, Math.max(LEAST_USER_TIMEOUT_MILLIS, time.toMillis())));
        }
    }

    /** Sets TCP_USER_TIMEOUT of a TCP socket of the native transport; 0 for none. */
    static void userTimeoutMillis(Channel channel, int millis) {
        try {
            channel.config().setOption(USER_TIMEOUT, millis);
        } catch (ChannelException e) {
            // closed meanwhile
        }
    }

    /** Returns TCP_USER_TIMEOUT of a socket in milliseconds; 0 for none. */
    static int userTimeout(Channel channel) {
        return channel instanceof UnixChannel ? Objects.requireNonNullElse(option(channel, USER_TIMEOUT), 0) : 0;
    }

    /** Returns the options that the kernel has in force for that socket. */
    public static EffectiveSocketOptions readBack(Channel channel) {
        boolean noDelay = Boolean.TRUE.equals(option(channel, ChannelOption.TCP_NODELAY));
        int send = Objects.requireNonNullElse(option(channel, ChannelOption.SO_SNDBUF), -1);
        int receive = Objects.requireNonNullElse(option(channel, ChannelOption.SO_RCVBUF), -1);
        return new EffectiveSocketOptions(noDelay, congestion(channel), notSent(channel), send, receive);
    }

    private static int notSent(Channel channel) {
        return channel instanceof UnixChannel ? Objects.requireNonNullElse(option(channel, NOT_SENT), -1) : -1;
    }

    private static String congestion(Channel channel) {
        ByteBuffer read = channel instanceof UnixChannel ? option(channel, CONGESTION) : null;
        if (read == null) {
            return "";
        }
        byte[] bytes = new byte[NAME_LENGTH];
        read.get(bytes, 0, Math.min(read.remaining(), NAME_LENGTH));
        String name = new String(bytes, US_ASCII);
        int end = name.indexOf('\0');
        return end < 0 ? name : name.substring(0, end);
    }

    private static <T> @Nullable T option(Channel channel, ChannelOption<T> option) {
        try {
            return channel.config().getOption(option);
        } catch (ChannelException e) {
            return null; // closed meanwhile
        }
    }
}
