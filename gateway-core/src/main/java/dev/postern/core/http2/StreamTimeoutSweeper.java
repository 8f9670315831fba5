package dev.postern.core.http2;

import dev.postern.core.http.Refusal;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.transport.loop.Deadline;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Error;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all streams of a connection now and then for what waits too long: bodies that don't come, windows that stay shut, a socket that
 * takes nothing. One timer for all; what is late is found within one and a half times its limit. Event loop only.
 */
final class StreamTimeoutSweeper {

    private final Http2ServerConnection connection;
    private final StreamTable streams;
    private final long bodyIdle;
    private final long windowTimeout;
    private final long pause;
    private final Deadline timer;
    private long unsent;
    private @Nullable Object unsentMessage;
    private long unsentSince;
    private boolean running;

    StreamTimeoutSweeper(
            Http2ServerConnection connection,
            EventLoop loop,
            StreamTable streams,
            Duration bodyIdle,
            Duration windowTimeout) {
        this.connection = connection;
        this.streams = streams;
        this.bodyIdle = bodyIdle.toNanos();
        this.windowTimeout = windowTimeout.toNanos();
        this.pause = Math.min(this.bodyIdle, this.windowTimeout) / 2;
        this.timer = new Deadline(loop, this::look);
    }

    /** There are streams to look at. */
    void start() {
        if (!running) {
            running = true;
            timer.set(System.nanoTime(), pause);
        }
    }

    /** There are none. */
    void stop() {
        running = false;
        timer.clear();
    }

    private void look() {
        long now = System.nanoTime();
        if (stuck(now)) {
            connection.over(AbuseLimit.WINDOW_TIMEOUT);
            return;
        }
        streams.each(response -> look(response, now));
        if (running) {
            timer.set(now, pause);
        }
    }

    private void look(Http2ResponseWriter response, long now) {
        Http2RequestBody body = response.body();
        if (response.tunnelled() && !response.over()) {
            return; // silence of either side is none of ours here
        }
        // Once it is being answered the two may be in a conversation, in which the client has not the next word.
        boolean responding = response.begun() && !response.over();
        if (body != null && body.waits() && !responding && now - body.waitingSince() > bodyIdle) {
            bodyLate(response, body);
        } else if (response.holds()
                && now - response.queuedSince() > windowTimeout
                && streams.shut(response.stream())) {
            windowLate(response);
        }
    }

    private void bodyLate(Http2ResponseWriter response, Http2RequestBody body) {
        if (response.over()) {
            connection.reset(response.stream(), Http2Error.NO_ERROR);
            return;
        }
        response.exchange().outcome().reason("body");
        response.exchange().refuse(Refusal.REQUEST_TIMEOUT);
        body.fail();
    }

    private void windowLate(Http2ResponseWriter response) {
        if (streams.connectionShut()) {
            connection.over(AbuseLimit.WINDOW_TIMEOUT);
        } else {
            // One stream may well be a film that somebody paused; many are an attack.
            response.exchange().outcome().reason(AbuseLimit.WINDOW_TIMEOUT.label());
            connection.reset(response.stream(), Http2Error.CANCEL);
            response.abandon();
            connection.fault();
        }
    }

    /** Whether the socket has taken nothing for too long. */
    private boolean stuck(long now) {
        Channel channel = connection.channel();
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        // Not whether the channel is writable: a few streams never hold enough to reach its mark.
        if (buffer == null || buffer.isEmpty()) {
            unsentMessage = null;
            return false;
        }
        Object message = buffer.current();
        long bytes = buffer.totalPendingWriteBytes() - buffer.currentProgress();
        if (message == null || message != unsentMessage || bytes != unsent) {
            unsentMessage = message;
            unsent = bytes;
            unsentSince = now;
            return false;
        }
        return now - unsentSince > windowTimeout;
    }
}
