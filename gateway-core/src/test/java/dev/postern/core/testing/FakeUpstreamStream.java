package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.http.RequestHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.upstream.connect.UpstreamResponseHandler;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stream towards an upstream, in memory: records the request, and responds when a test calls {@link #upstream}. */
public final class FakeUpstreamStream implements UpstreamStream {

    private final StringBuilder body = new StringBuilder();
    private final List<String> trailers = new ArrayList<>();
    private @Nullable RequestHead head;
    private @Nullable UpstreamResponseHandler handler;
    private @Nullable Long deadline;
    private int flushed;
    private boolean shared;
    private boolean full;
    private boolean paused;
    private boolean endSent;
    private boolean aborted;

    /** Makes this one of several streams of a connection. */
    public FakeUpstreamStream shared(boolean value) {
        shared = value;
        return this;
    }

    /** Returns the handler of the response, through which a test plays the upstream. */
    public UpstreamResponseHandler upstream() {
        if (handler == null) {
            throw new AssertionError("no request was sent");
        }
        return handler;
    }

    /** Returns the head of the request, or null. */
    public @Nullable RequestHead request() {
        return head;
    }

    /** Returns the bytes of the request's body that were written. */
    public String body() {
        return body.toString();
    }

    /** Returns those that were also sent. */
    public String flushed() {
        return body.substring(0, flushed);
    }

    /** Returns the trailers of the request as lines. */
    public List<String> trailers() {
        return trailers;
    }

    /** Returns whether the request was sent to its end. */
    public boolean endSent() {
        return endSent;
    }

    public boolean aborted() {
        return aborted;
    }

    public boolean paused() {
        return paused;
    }

    /** Returns the time that is left for the next bytes, or null while there is no timeout. */
    public @Nullable Duration timeout(long now) {
        return deadline == null ? null : Duration.ofNanos(deadline - now);
    }

    /** Lets the upstream take no more bytes of the request. */
    public void fill() {
        full = true;
    }

    /** Lets the upstream take bytes again. */
    public void drain() {
        full = false;
        upstream().writable();
    }

    @Override
    public void send(RequestHead request, UpstreamResponseHandler response) {
        head = request;
        handler = response;
        endSent = !request.hasBody();
    }

    @Override
    public void body(ByteBuf data) {
        body.append(data.toString(UTF_8));
        data.release();
    }

    @Override
    public void flush() {
        flushed = body.length();
    }

    @Override
    public void behindBody(Trailers behind) {
        for (int i = 0; i < behind.fields(); i++) {
            if (behind.present(i)) {
                trailers.add(behind.nameAt(i) + ": " + behind.valueAt(i));
            }
        }
    }

    @Override
    public void bodyEnd() {
        flush();
        endSent = true;
    }

    @Override
    public boolean writable() {
        return !full;
    }

    @Override
    public void hand(UpstreamResponseHandler next) {
        handler = next;
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
    public void expect(long now, Duration wait) {
        deadline = now + wait.toNanos();
    }

    @Override
    public void expectNothing() {
        deadline = null;
    }

    @Override
    public boolean shared() {
        return shared;
    }

    @Override
    public void abort() {
        if (aborted) {
            throw new AssertionError("aborted twice");
        }
        aborted = true;
    }

    @Override
    public void close() {
        abort();
    }
}
