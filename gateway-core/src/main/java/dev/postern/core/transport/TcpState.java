package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.channel.unix.UnixChannel;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * TCP state of a connection in the kernel ({@code tcpi_state} of {@code linux/tcp.h}), which knows of the peer's FIN or RST before the event
 * loop gets to that event. Stateless.
 */
public final class TcpState {

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;
    private static final int ESTABLISHED = 1;

    /** Length of the fields up to the first counter; the kernel copies no more. */
    private static final int LENGTH = 8;

    private static final ChannelOption<ByteBuffer> OPTION =
            new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, LENGTH);

    private TcpState() {}

    /**
     * Returns whether the connection can't carry another request, because its peer ended it; one system call. False where the transport
     * can't tell: NIO, and sockets other than TCP.
     */
    public static boolean ended(Channel channel) {
        if (!(channel instanceof UnixChannel) || !(channel instanceof SocketChannel)) {
            return false;
        }
        try {
            @Nullable ByteBuffer read = channel.config().getOption(OPTION);
            return read != null && read.hasRemaining() && read.get(read.position()) != ESTABLISHED;
        } catch (ChannelException e) {
            return true; // closed meanwhile
        }
    }
}
