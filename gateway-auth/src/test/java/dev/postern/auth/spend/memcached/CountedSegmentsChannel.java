package dev.postern.auth.spend.memcached;

import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.channel.unix.UnixChannel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Embedded channel that reports a number of TCP segments, as the kernel does for a socket. */
final class CountedSegmentsChannel extends EmbeddedChannel implements UnixChannel {

    private static final int DATA_SEGS_OUT = 156;

    /** Null while the constructor of the superclass runs. */
    private final @Nullable ChannelConfig config;

    CountedSegmentsChannel(int segments) {
        ByteBuffer info = ByteBuffer.allocate(DATA_SEGS_OUT + Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(DATA_SEGS_OUT, segments);
        config = new DefaultChannelConfig(this) {
            @Override
            @SuppressWarnings("unchecked")
            public <T> T getOption(ChannelOption<T> option) {
                return option instanceof RawUnixChannelOption ? (T) info.duplicate() : super.getOption(option);
            }
        };
    }

    @Override
    public ChannelConfig config() {
        ChannelConfig own = config;
        return own == null ? super.config() : own;
    }

    @Override
    public FileDescriptor fd() {
        throw new UnsupportedOperationException("an embedded channel has no file descriptor");
    }
}
