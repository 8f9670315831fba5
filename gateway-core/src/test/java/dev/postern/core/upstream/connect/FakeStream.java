package dev.postern.core.upstream.connect;

import dev.postern.core.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connection of HTTP/1.1, or stream of a {@link FakeConnection}, whose upstream a test plays. */
public final class FakeStream implements UpstreamStream {

    private final String name;
    private final Owner owner;
    private final @Nullable Channel channel;
    private @Nullable UpstreamResponseHandler handler;
    private final List<String> fields = new ArrayList<>();
    private String request = "";
    private Duration timeout = Duration.ZERO;
    private boolean ended;
    private boolean closed;
    private boolean busy;

    /** @param channel of a connection; null for one of several streams */
    public FakeStream(String name, Owner owner, @Nullable Channel channel) {
        this.name = name;
        this.owner = owner;
        this.channel = channel;
    }

    // ---- the upstream's side

    /** Ends the exchange; the connection stays usable. */
    public void finish() {
        busy = false;
        owner.free(true);
    }

    /** Ends the exchange, the last one of its connection. */
    public void finishLast() {
        busy = false;
        owner.free(false);
    }

    /** Ends the connection; the exchange, if any, fails. */
    public void lose() {
        if (!closed) {
            closed = true;
            busy = false;
            if (channel != null) {
                channel.close();
            }
            owner.gone();
        }
    }

    /** Announces that an idle connection is kept for that time. */
    public void announce(long seconds) {
        owner.keptFor(seconds);
    }

    /** Ends the connection, which the event loop has not noticed yet. */
    public void endUnnoticed() {
        ended = true;
    }

    // ---- what a test reads

    public String name() {
        return name;
    }

    public boolean closed() {
        return closed;
    }

    public boolean busy() {
        return busy;
    }

    /** Returns the request as {@code GET a.example /path}, or an empty text. */
    public String request() {
        return request;
    }

    /** Returns the fields of the request, as {@code name: value}. */
    public List<String> fields() {
        return fields;
    }

    public Duration timeout() {
        return timeout;
    }

    /** Returns the handler of the response; fails before a request was sent, and after {@link #abort}. */
    public UpstreamResponseHandler handler() {
        if (handler == null) {
            throw new IllegalStateException("handler: none (expected: a request under way)");
        }
        return handler;
    }

    /** Marks the stream as used by an exchange; one of several streams carries one exchange after the other. */
    public void begin() {
        busy = true;
        closed &= channel != null;
    }

    // ---- the gateway's side

    @Override
    public void send(RequestHead head, UpstreamResponseHandler receiver) {
        request = head.method() + " " + head.authority() + " " + head.path();
        for (int i = 0; i < head.fields(); i++) {
            fields.add(head.nameAt(i) + ": " + head.valueAt(i));
        }
        handler = receiver;
    }

    @Override
    public void body(ByteBuf data) {
        data.release();
    }

    @Override
    public void bodyEnd() {}

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public void expect(long now, Duration time) {
        timeout = time;
    }

    @Override
    public void expectNothing() {}

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public void abort() {
        handler = null;
        lose();
    }

    @Override
    public void close() {
        lose();
    }
}
