package dev.postern.core.testing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Link to a channel in memory, which handles at once what is written. Reading fails when an open channel has sent no more. */
final class ChannelLink implements FrameLink {

    private final EmbeddedChannel channel;
    private @Nullable ByteBuf sent;

    ChannelLink(EmbeddedChannel channel) {
        this.channel = channel;
    }

    @Override
    public InputStream in() {
        return new InputStream() {
            @Override
            public int read() {
                ByteBuf next = next();
                return next == null ? -1 : next.readUnsignedByte();
            }

            @Override
            public int read(byte[] to, int offset, int length) {
                if (length == 0) {
                    return 0;
                }
                ByteBuf next = next();
                if (next == null) {
                    return -1;
                }
                int n = Math.min(length, next.readableBytes());
                next.readBytes(to, offset, n);
                return n;
            }
        };
    }

    private @Nullable ByteBuf next() {
        if (!ready() && channel.isOpen()) {
            throw new AssertionError("nothing was sent (expected: a frame)");
        }
        return sent;
    }

    @Override
    public boolean ready() {
        channel.runPendingTasks();
        while (sent == null || !sent.isReadable()) {
            if (sent != null) {
                sent.release();
            }
            sent = channel.readOutbound();
            if (sent == null) {
                return false;
            }
        }
        return true;
    }

    @Override
    public OutputStream out() {
        return new OutputStream() {
            @Override
            public void write(int b) {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                if (channel.isOpen()) {
                    channel.writeInbound(Unpooled.copiedBuffer(bytes, offset, length));
                    channel.runPendingTasks();
                }
            }
        };
    }

    @Override
    public void finish() {
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        channel.runPendingTasks();
    }

    @Override
    public void close() {
        if (sent != null) {
            sent.release();
            sent = null;
        }
        channel.finishAndReleaseAll();
    }
}
