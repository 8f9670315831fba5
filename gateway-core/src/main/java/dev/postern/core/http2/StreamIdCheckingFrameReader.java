package dev.postern.core.http2;

import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.AbuseLimitExceeded;
import dev.postern.core.http2.guard.AbuseLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Frame reader of Netty with stricter rules for the stream identifiers of field sections (RFC 9113 sections 5.1 and 5.1.1), which counts the
 * streams that the client resets. One per connection.
 */
final class StreamIdCheckingFrameReader implements Http2FrameReader {

    private final Http2FrameReader frames;
    private final Http2Connection connection;
    private final StreamTable streams;
    private final AbuseLimits limits;
    private @Nullable Http2FrameListener target;
    private @Nullable Http2FrameListener strict;

    StreamIdCheckingFrameReader(
            Http2FrameReader frames, Http2Connection connection, StreamTable streams, AbuseLimits limits) {
        this.frames = frames;
        this.connection = connection;
        this.streams = streams;
        this.limits = limits;
    }

    @Override
    public void readFrame(ChannelHandlerContext ctx, ByteBuf in, Http2FrameListener listener) throws Http2Exception {
        Http2FrameListener to = strict;
        if (to == null || listener != target) {
            to = new Strict(listener);
            target = listener;
            strict = to;
        }
        frames.readFrame(ctx, in, to);
    }

    @Override
    public Configuration configuration() {
        return frames.configuration();
    }

    @Override
    public void close() {
        frames.close();
    }

    /**
     * Returns whether a field section on that stream is to be handled; false when it is to be ignored, and an exception when it is an
     * error.
     */
    private boolean accepts(int streamId) throws Http2Exception {
        if (streams.wasReset(streamId)) {
            check(limits.late());
            return false; // in flight when the gateway reset the stream
        }
        Http2Stream stream = connection.stream(streamId);
        if (stream == null) {
            if (!connection.streamMayHaveExisted(streamId)) {
                return true;
            }
            throw streams.wasClosed(streamId)
                    ? Http2Exception.connectionError(Http2Error.STREAM_CLOSED, "fields on closed stream %d", streamId)
                    : Http2Exception.connectionError(
                            Http2Error.PROTOCOL_ERROR, "stream %d after a higher one", streamId);
        }
        if (stream.state() == Http2Stream.State.HALF_CLOSED_REMOTE) {
            throw Http2Exception.streamError(streamId, Http2Error.STREAM_CLOSED, "fields after the end of a stream");
        }
        return true;
    }

    private static void check(@Nullable AbuseLimit exceeded) throws AbuseLimitExceeded {
        if (exceeded != null) {
            throw new AbuseLimitExceeded(exceeded);
        }
    }

    /** Counts RST_STREAM of the client; the decoder reports only those of open streams to its listener. */
    private void countReset(int streamId) throws AbuseLimitExceeded {
        Http2ResponseWriter response = streams.get(streamId);
        if (response != null) {
            check(response.completedByUpstream() ? null : limits.cancelled(response.cancellation()));
        } else if (streams.wasReset(streamId)) {
            check(limits.late()); // in flight when the gateway reset the stream
        } else {
            check(limits.resetByPeer());
        }
    }

    private final class Strict extends Http2FrameListenerDecorator {

        Strict(Http2FrameListener listener) {
            super(listener);
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) throws Http2Exception {
            countReset(streamId);
            super.onRstStreamRead(ctx, streamId, errorCode);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean endStream)
                throws Http2Exception {
            if (accepts(streamId)) {
                super.onHeadersRead(ctx, streamId, headers, padding, endStream);
            }
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx,
                int streamId,
                Http2Headers headers,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean endStream)
                throws Http2Exception {
            if (accepts(streamId)) {
                super.onHeadersRead(ctx, streamId, headers, dependency, weight, exclusive, padding, endStream);
            }
        }
    }
}
