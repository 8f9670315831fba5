package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.upstream.connect.UpstreamResponseHandler;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;

/** Handler of a response that records it as text: {@code head 200}, the pieces of the body, {@code complete}, {@code failed upstream-closed}. */
public final class UpstreamEvents implements UpstreamResponseHandler {

    /** Bytes of a piece that are shown; of a longer one, only their number is. */
    private static final int SHOWN = 24;

    private final String name;
    private final UpstreamStream stream;
    private final List<String> events;
    private long bytes;

    UpstreamEvents(String name, UpstreamStream stream, List<String> events) {
        this.name = name;
        this.stream = stream;
        this.events = events;
    }

    public UpstreamStream stream() {
        return stream;
    }

    /** Sends a piece of the request's body. */
    public UpstreamEvents body(String text) {
        stream.body(Unpooled.copiedBuffer(text, ISO_8859_1));
        return this;
    }

    /** Returns the bytes of the response's body so far. */
    public long bytes() {
        return bytes;
    }

    private void event(String event) {
        events.add((name + " " + event).strip());
    }

    @Override
    public void interim(ResponseHead head) {
        event("interim " + head.status());
    }

    @Override
    public void head(ResponseHead head) {
        event("head " + head.status());
        stream.expectNothing();
    }

    @Override
    public void upgraded(ResponseHead head, UpstreamStream tunnel) {
        event("upgraded " + head.status());
    }

    @Override
    public void content(ByteBuf data) {
        int n = data.readableBytes();
        bytes += n;
        event(n > SHOWN ? "(" + n + ")" : data.toString(ISO_8859_1));
        data.release();
    }

    @Override
    public void trailers(Trailers trailers) {
        for (int i = 0; i < trailers.fields(); i++) {
            event(trailers.nameAt(i) + ": " + trailers.valueAt(i));
        }
    }

    @Override
    public void complete() {
        event("complete");
    }

    @Override
    public void readComplete() {
        event("read");
    }

    @Override
    public void late() {
        event("late");
        stream.abort();
    }

    @Override
    public void writable() {
        event("writable");
    }

    @Override
    public void unsupported() {
        event("unsupported");
    }

    @Override
    public void unsendable() {
        event("unsendable");
    }

    @Override
    public void unprocessed(boolean leaving) {
        event(leaving ? "unprocessed, leaving" : "unprocessed");
    }

    @Override
    public void failed(Refusal refusal, boolean silent) {
        event("failed " + refusal.code() + (silent ? " silent" : ""));
    }
}
