package dev.postern.core.tunnel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.testing.UdpTunnelClient;
import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Client's end of a UDP tunnel, in memory: records each write in hex, and whether the socket was open at the end. */
final class RecordingPeer implements TunnelPeer {

    private final EmbeddedChannel socket;
    final List<String> written = new ArrayList<>();
    boolean writable = true;
    int flushes;
    String end = "";
    private @Nullable Taker taker;

    RecordingPeer(EmbeddedChannel socket) {
        this.socket = socket;
    }

    /** Returns capsules of these payloads, in hex. */
    static String hex(String... payloads) {
        StringBuilder all = new StringBuilder();
        for (String payload : payloads) {
            all.append(HexFormat.of().formatHex(UdpTunnelClient.capsule(payload.getBytes(ISO_8859_1))));
        }
        return all.toString();
    }

    Taker taker() {
        return Objects.requireNonNull(taker);
    }

    void bytes(String hex) {
        taker().data(Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex)));
        taker().readComplete();
    }

    @Override
    public void begin(Taker receiver) {
        taker = receiver;
    }

    @Override
    public void write(ByteBuf data) {
        written.add(ByteBufUtil.hexDump(data));
        data.release();
    }

    @Override
    public void flush() {
        flushes++;
    }

    @Override
    public boolean writable() {
        return writable;
    }

    @Override
    public void pause() {
        throw new AssertionError("a UDP tunnel drops instead");
    }

    @Override
    public void resume() {}

    @Override
    public void finish() {}

    @Override
    public void close() {
        end = "closed";
    }

    @Override
    public void complete() {
        end = "completed, socket " + (socket.isOpen() ? "open" : "closed");
    }

    @Override
    public void reject() {
        end = "rejected";
    }

    @Override
    public EventLoop loop() {
        return socket.eventLoop();
    }
}
