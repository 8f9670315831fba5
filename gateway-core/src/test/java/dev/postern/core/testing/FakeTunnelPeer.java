package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/** End of a tunnel, in memory: records what the gateway writes, and sends when a test calls {@link #send}. */
public final class FakeTunnelPeer implements TunnelPeer {

    private final EventLoop loop;
    private final StringBuilder written = new StringBuilder();
    private @Nullable Taker taker;
    private int flushed;
    private int writes;
    private boolean full;
    private boolean paused;
    private String end = "open";

    public FakeTunnelPeer(EventLoop loop) {
        this.loop = loop;
    }

    /** Sends one read. */
    public void send(String... pieces) {
        for (String piece : pieces) {
            taker().data(Unpooled.copiedBuffer(piece, ISO_8859_1));
        }
        taker().readComplete();
    }

    /** Returns the taker of what this end sends; fails before the tunnel has begun. */
    public Taker taker() {
        if (taker == null) {
            throw new AssertionError("the tunnel has not begun");
        }
        return taker;
    }

    /** Returns the bytes that were written and sent. */
    public String received() {
        return written.substring(0, flushed);
    }

    /** Returns the bytes that were written. */
    public String written() {
        return written.toString();
    }

    /** Returns the number of writes. */
    public int writes() {
        return writes;
    }

    public boolean paused() {
        return paused;
    }

    /** Returns how this end stands: open, finished, closed, completed or rejected. */
    public String end() {
        return end;
    }

    /** Lets this end take no more bytes. */
    public void fill() {
        full = true;
    }

    /** Lets this end take bytes again. */
    public void drain() {
        full = false;
        taker().writable();
    }

    @Override
    public void begin(Taker receiver) {
        taker = receiver;
    }

    @Override
    public void write(ByteBuf data) {
        written.append(data.toString(ISO_8859_1));
        writes++;
        data.release();
    }

    @Override
    public void flush() {
        flushed = written.length();
    }

    @Override
    public boolean writable() {
        return !full;
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = false;
    }

    @Override
    public void finish() {
        end = "finished";
    }

    @Override
    public void close() {
        end = "closed";
    }

    @Override
    public void complete() {
        end = "completed";
    }

    @Override
    public void reject() {
        end = "rejected";
    }

    @Override
    public EventLoop loop() {
        return loop;
    }
}
