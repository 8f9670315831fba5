package dev.postern.core.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.transport.LingeringClose;
import dev.postern.core.transport.loop.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Error;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Shutdown of a connection (RFC 9113 sections 5.4.1 and 6.8): in two steps when the process stops, after an idle time, or at once with an
 * error code. Event loop only.
 */
final class GracefulShutdown {

    private static final long LAST_CALL = 0x706f737465726eL;
    private static final long LAST_CALL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE_SECONDS = 2;

    private final Http2ServerConnection connection;
    private final EventLoop loop;
    private final long keepAlive;
    private final Deadline idle;
    private final Deadline lastCall;
    private boolean begun;
    private boolean lastNamed;
    private boolean leaving;

    GracefulShutdown(Http2ServerConnection connection, EventLoop loop, Duration keepAlive) {
        this.connection = connection;
        this.loop = loop;
        this.keepAlive = keepAlive.toNanos();
        this.idle = new Deadline(loop, this::idleTooLong);
        this.lastCall = new Deadline(loop, this::lastCall);
    }

    /** Returns whether the final GOAWAY was sent; received bytes are discarded from then on. */
    boolean leaving() {
        return leaving;
    }

    /** Stops the idle timer because a stream was opened. */
    void busy() {
        idle.clear();
    }

    /** Starts the idle timer because no stream is open; closes instead when the last stream was already announced. */
    void idle() {
        if (lastNamed) {
            now(Http2Error.NO_ERROR, "");
        } else {
            idle.set(keepAlive);
        }
    }

    private void idleTooLong() {
        if (connection.quiet()) {
            now(Http2Error.NO_ERROR, "");
        }
    }

    /** Closes because the client ended its output: no window opens again, so no response could be completed. */
    void inputEnded() {
        now(Http2Error.NO_ERROR, "");
    }

    /** Sends the first of two GOAWAY frames: the client should open no new streams, but streams already in flight are served. */
    void soon() {
        if (begun || leaving) {
            return;
        }
        begun = true;
        name(Integer.MAX_VALUE);
        connection.encoder().writePing(connection.ctx(), false, LAST_CALL, connection.promise());
        lastCall.set(LAST_CALL_NANOS);
        connection.flushSoon();
    }

    /**
     * Handles a PING acknowledgement. When the PING was sent with the first GOAWAY, all that was in flight before that GOAWAY has arrived.
     */
    void pinged(long data) {
        if (begun && data == LAST_CALL) {
            lastCall();
        }
    }

    private void lastCall() {
        if (lastNamed || leaving) {
            return;
        }
        lastNamed = true;
        lastCall.stop();
        if (connection.quiet()) {
            now(Http2Error.NO_ERROR, "");
        } else {
            name(connection.connection().remote().lastStreamCreated());
            connection.flushSoon();
        }
    }

    private void name(int lastStream) {
        connection.goAway(
                connection.ctx(), lastStream, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, connection.promise());
    }

    /** Sends GOAWAY with that error and reason, and closes so that the frame arrives. */
    void now(Http2Error error, String reason) {
        if (leaving) {
            return;
        }
        stop();
        ChannelHandlerContext ctx = connection.ctx();
        if (!ctx.channel().isActive()) {
            ctx.close();
            return;
        }
        ByteBuf debug = reason.isEmpty() ? Unpooled.EMPTY_BUFFER : Unpooled.copiedBuffer(reason, US_ASCII);
        int last = connection.connection().remote().lastStreamCreated();
        ChannelFuture sent = connection
                .encoder()
                .frameWriter()
                .writeGoAway(ctx, last, error.code(), debug, ctx.newPromise())
                .addListener((ChannelFutureListener) gone -> LingeringClose.close(gone.channel()));
        ctx.flush();
        if (error != Http2Error.NO_ERROR) {
            giveUpUnlessSent(sent);
        }
        connection.abandonStreams();
    }

    /**
     * Closes after a fault when the client does not even read the GOAWAY. Without a fault the last response may still be on its way to a slow
     * reader, which the write timeout watches.
     */
    private void giveUpUnlessSent(ChannelFuture goAway) {
        loop.schedule(
                () -> {
                    if (!goAway.isDone()) {
                        goAway.channel().close();
                    }
                },
                PATIENCE_SECONDS,
                TimeUnit.SECONDS);
    }

    /** Stops all timers, because the connection is closed or about to close. */
    void stop() {
        leaving = true;
        idle.stop();
        lastCall.stop();
        connection.stopWatching();
    }
}
