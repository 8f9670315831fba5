package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.exchange.TunnelHandler;
import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tunnel handler that records what the client's end sends, and what happens to that end. */
public final class TunnelEvents implements TunnelHandler, TunnelPeer.Taker {

    private final List<String> events = new ArrayList<>();
    private @Nullable TunnelPeer client;

    /** Returns the events since the last call. */
    public List<String> take() {
        List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    /** Returns the client's end of the opened tunnel. */
    public TunnelPeer client() {
        if (client == null) {
            throw new AssertionError("no tunnel (expected: an opened one)");
        }
        return client;
    }

    @Override
    public void open(TunnelPeer end) {
        client = end;
        end.begin(this);
    }

    @Override
    public void data(ByteBuf data) {
        events.add(data.toString(ISO_8859_1));
        data.release();
    }

    @Override
    public void readComplete() {
        events.add("read");
    }

    @Override
    public void writable() {
        events.add("writable");
    }

    @Override
    public void finished() {
        events.add("finished");
    }

    @Override
    public void draining() {
        events.add("draining");
    }

    @Override
    public void gone() {
        events.add("gone");
    }
}
