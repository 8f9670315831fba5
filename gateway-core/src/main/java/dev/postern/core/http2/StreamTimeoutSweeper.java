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
 * Sweeper of the streams of a connection for expired time limits: bodies that do not arrive, windows that stay closed, a socket that
 * accepts nothing. One timer for all; an expired limit is found within one and a half times its duration. Event loop only.
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
        this.timer = new Deadline(loop, this::check);
    }

    /** Starts the timer because streams are open. */
    void start() {
        if (!running) {
            running = true;
            timer.set(pause);
        }
    }

    /** Stops the timer because no stream is open. */
    void stop() {
        running = false;
        timer.clear();
    }

    private void check() {
        long now = timer.now();
        if (stuck(now)) {
            connection.over(AbuseLimit.WINDOW_TIMEOUT);
            return;
        }
        streams.each(response -> check(response, now));
        if (running) {
            timer.set(now, pause);
        }
    }

    private void check(Http2ResponseWriter response, long now) {
        Http2RequestBody body = response.body();
        if (response.relays()) {
            return; // tunnels have idle limits of their own
        }
        // Once a response has begun, the exchange may be a dialogue in which the upstream is next to send.
        boolean responding = response.begun() && !response.ended();
        if (body != null && body.waits() && !responding && now - body.waitingSince() > bodyIdle) {
            bodyLate(response, body);
        } else if (response.holds()
                && now - response.queuedSince() > windowTimeout
                && streams.shut(response.stream())) {
            windowLate(response);
        }
    }

    private void bodyLate(Http2ResponseWriter response, Http2RequestBody body) {
        if (response.ended()) {
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
            // A single stream may be a paused video; many are an attack.
            response.exchange().outcome().reason(AbuseLimit.WINDOW_TIMEOUT.label());
            connection.reset(response.stream(), Http2Error.CANCEL);
            response.abandon();
            connection.fault();
        }
    }

    /** Returns whether the socket has accepted nothing for longer than the limit. */
    private boolean stuck(long now) {
        Channel channel = connection.channel();
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        // Channel.isWritable does not show it: a few streams never reach the high water mark.
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
