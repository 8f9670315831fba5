package dev.postern.core.http2.client;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http2.AbstractHttp2Connection;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.FrameFloodGuard;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.transport.ConnectionErrors;
import dev.postern.core.transport.ReceiveWindows;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.upstream.connect.UpstreamConnection;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP/2 connection to an upstream (RFC 9113): gives each exchange a stream, and keeps the server within its limits. After 5 s without
 * bytes from the server, the next request is sent with a PING, so that a dead connection is found before the first-byte timeout. A
 * connection with an unanswered PING gets no further requests, and is closed when no other exchange uses it or after a longer silence.
 *
 * <p>One per channel, confined to its event loop.
 */
public final class Http2UpstreamConnection extends AbstractHttp2Connection implements UpstreamConnection {

    private static final Logger LOG = LoggerFactory.getLogger(Http2UpstreamConnection.class);
    private static final long PROBE = 0x706f737465726eL;
    private static final AsciiString HTTP = AsciiString.cached("http");
    private static final AsciiString HTTPS = AsciiString.cached("https");

    private final int connectionWindow;
    private final Channel channel;
    private final UpstreamConnection.Owner owner;
    private final Terms terms;
    private final LogRateLimiter logLimiter;
    private final Http2Connection.PropertyKey streamKey;
    private final SilenceWatch silence;
    private final AsciiString scheme;
    private final List<Http2UpstreamStream> received = new ArrayList<>();
    private @Nullable Http2UpstreamStream opening;
    private Refusal refusal = Refusal.UPSTREAM_CLOSED;
    private int nextStream = 1;
    private boolean extendedConnect;
    private boolean ready;
    private boolean leaving;
    private boolean closing;

    private Http2UpstreamConnection(
            Http2ClientCodec codec,
            int connectionWindow,
            Channel channel,
            UpstreamConnection.Owner owner,
            Terms terms,
            LogRateLimiter logLimiter) {
        super(
                codec.decoder(),
                codec.encoder(),
                codec.settings(),
                codec.limits(),
                FrameFloodGuard.ofServer(codec.limits()));
        this.connectionWindow = connectionWindow;
        this.channel = channel;
        this.owner = owner;
        this.terms = terms;
        this.logLimiter = logLimiter;
        this.streamKey = connection().newKey();
        this.silence = new SilenceWatch(channel.eventLoop(), new Watched(), terms.patience(), terms.silence());
        this.scheme = channel.pipeline().get(SslHandler.class) == null ? HTTP : HTTPS;
        decoder().frameListener(new ClientFrameListener(this, codec.block()));
        connection().addListener(new Streams());
    }

    /**
     * Returns a factory that adds the connection to the pipelines of connected channels.
     *
     * @param windows windows of the responses
     * @param ticker limits the log lines
     */
    public static UpstreamConnection.Factory factory(ReceiveWindows windows, Ticker ticker) {
        LogRateLimiter logLimiter = new LogRateLimiter(ticker);
        return (channel, owner, terms) -> {
            Http2UpstreamConnection connection = new Http2UpstreamConnection(
                    Http2ClientCodec.of(windows, channel.eventLoop().ticker()),
                    windows.max(),
                    channel,
                    owner,
                    terms,
                    logLimiter);
            channel.pipeline().addLast(connection);
            SocketOptions.userTimeout(channel, terms.silence());
            channel.config().setAutoClose(false); // what the upstream sent before a failed write is still in the socket
            return connection;
        };
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        super.handlerAdded(ctx);
        int more = connectionWindow - Http2CodecUtil.DEFAULT_WINDOW_SIZE;
        if (more > 0) {
            // It opens by itself, so it holds nothing: the windows of the streams do.
            decoder().flowController().incrementWindowSize(connection().connectionStream(), more);
        }
        flushSoon();
    }

    // ---- for the pool

    @Override
    public int streams() {
        return leaving || !ready
                ? 0
                : Math.min(terms.streams(), connection().local().maxActiveStreams());
    }

    @Override
    public UpstreamStream stream(UpstreamStream.Owner of) {
        return new Http2UpstreamStream(this, of);
    }

    @Override
    public void close() {
        if (!closing && channel.isActive()) {
            closing = true;
            goAway(ctx(), 0, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, ctx().newPromise());
            ctx().flush();
        }
        channel.close();
    }

    /** Handles the server's settings, the first and later ones. */
    void settled(Http2Settings settings) {
        extendedConnect |= Boolean.TRUE.equals(settings.connectProtocolEnabled());
        if (!ready) {
            ready = true;
            owner.ready();
        } else {
            owner.changed();
        }
    }

    // ---- outbound

    Channel channel() {
        return channel;
    }

    AsciiString scheme() {
        return scheme;
    }

    /** Returns whether the server supports such a request at all: an extended CONNECT has no other method, and no body before its data. */
    boolean takes(RequestHead head) {
        boolean convertible = head.majorVersion() > 1 || (head.method().equals(Method.GET) && !head.hasBody());
        return !head.has(FieldName.UPGRADE) || (extendedConnect && convertible);
    }

    /**
     * Opens a stream for {@code upstreamStream} and calls its {@code opened}; does not call it when no stream can be opened. Returns the
     * time, of the loop's ticker.
     */
    long open(Http2UpstreamStream upstreamStream, Http2Headers head, boolean last) {
        long now = silence.requested();
        int id = nextStream;
        nextStream += 2;
        opening = upstreamStream;
        encoder().writeHeaders(ctx(), id, head, 0, last, ctx().newPromise());
        opening = null;
        requested();
        flushSoon();
        return now;
    }

    @Override
    public boolean stalled() {
        return silence.stalled();
    }

    ChannelFuture writeData(Http2Stream stream, ByteBuf data, boolean last) {
        sent(data.readableBytes());
        ChannelFuture written = encoder().writeData(ctx(), stream.id(), data, 0, last, ctx().newPromise());
        flushSoon();
        return written;
    }

    void writeTrailers(Http2Stream stream, Http2Headers trailers) {
        encoder().writeHeaders(ctx(), stream.id(), trailers, 0, true, ctx().newPromise());
        flushSoon();
    }

    void reset(Http2Stream stream, Http2Error error) {
        resetting();
        resetStream(ctx(), stream.id(), error.code(), ctx().newPromise());
        flushSoon();
    }

    // ---- inbound

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        silence.read();
        super.channelRead(ctx, message);
    }

    @Override
    protected boolean deaf() {
        return closing;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        for (int i = 0; i < received.size(); i++) {
            received.get(i).readComplete();
        }
        received.clear();
        super.channelReadComplete(ctx);
    }

    /** Records a stream that received something, for its {@code readComplete}. */
    void received(Http2UpstreamStream upstreamStream) {
        received.add(upstreamStream);
    }

    SilenceWatch silence() {
        return silence;
    }

    @Nullable
    Http2UpstreamStream stream(int streamId) {
        Http2Stream stream = connection().stream(streamId);
        return stream == null ? null : stream.getProperty(streamKey);
    }

    @Override
    protected void over(AbuseLimit limit) {
        if (logLimiter.tryAcquire()) {
            LOG.warn(
                    "upstream {}: http2: a server used up its budget of {}; its connection was ended (more may have been)",
                    terms.name(),
                    limit.label());
        }
        end(Http2Error.ENHANCE_YOUR_CALM);
    }

    // ---- closing

    /** Sends GOAWAY to a faulty server and closes. */
    private void end(Http2Error error) {
        refusal = Refusal.UPSTREAM_MALFORMED;
        if (!closing) {
            closing = true;
            leave();
            goAway(ctx(), 0, error.code(), Unpooled.EMPTY_BUFFER, ctx().newPromise());
            ctx().flush();
        }
        // Later: the caller is still using the connection.
        channel.eventLoop().execute(channel::close);
    }

    private void leave() {
        if (!leaving) {
            leaving = true;
            owner.leaving();
        }
    }

    @Override
    protected void onStreamError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception.StreamException error) {
        boolean late = error.error() == Http2Error.STREAM_CLOSED && stream(error.streamId()) == null;
        if (closing) {
            return;
        }
        if (late && connection().streamMayHaveExisted(error.streamId())) {
            lateFrame(); // in flight when the gateway reset the stream (RFC 9113 section 5.1)
            return;
        }
        super.onStreamError(ctx, outbound, cause, error);
        if (!outbound) {
            fault();
        }
    }

    @Override
    protected void failed(Throwable cause, @Nullable Http2Exception error) {
        if (error == null && ConnectionErrors.onlyOutput(cause, channel)) {
            leave(); // the end of the input closes the connection
            return;
        }
        if (error == null && !ConnectionErrors.is(cause)) {
            LOG.error("upstream {}: http2: a connection failed", terms.name(), cause);
        } else {
            LOG.debug("upstream {}: http2: {}", terms.name(), String.valueOf(cause.getMessage()));
        }
        end(error == null ? Http2Error.INTERNAL_ERROR : error.error());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        silence.stop();
        leaving = true;
        closing = true;
        super.channelInactive(ctx);
        owner.gone(refusal);
    }

    /** The connection as the watch over its silence sees it. */
    private final class Watched implements SilenceWatch.Connection {

        @Override
        public void ping() {
            encoder().writePing(ctx(), false, PROBE, ctx().newPromise());
            flushSoon();
        }

        @Override
        public boolean used() {
            return connection().numActiveStreams() > 0;
        }

        @Override
        public void unresponsive() {
            if (!leaving) {
                leaving = true;
                owner.unresponsive();
            }
            openStreams().forEach(Http2UpstreamStream::giveUp);
        }

        @Override
        public void dead() {
            channel.close();
        }

        private List<Http2UpstreamStream> openStreams() {
            List<Http2UpstreamStream> open = new ArrayList<>();
            try {
                connection().forEachActiveStream(stream -> {
                    Http2UpstreamStream upstreamStream = stream.getProperty(streamKey);
                    if (upstreamStream != null) {
                        open.add(upstreamStream);
                    }
                    return true;
                });
            } catch (Http2Exception e) {
                throw new IllegalStateException("visitor: failed (expected: only collects)", e);
            }
            return open;
        }
    }

    /** Listener for Netty's stream events. */
    private final class Streams extends Http2ConnectionAdapter {

        @Override
        public void onStreamAdded(Http2Stream stream) {
            Http2UpstreamStream upstreamStream = opening;
            if (upstreamStream != null) {
                stream.setProperty(streamKey, upstreamStream);
                upstreamStream.opened(stream);
            }
        }

        @Override
        public void onGoAwayReceived(int lastStreamId, long errorCode, ByteBuf debugData) {
            leave();
        }

        @Override
        public void onStreamClosed(Http2Stream stream) {
            Http2UpstreamStream upstreamStream = stream.removeProperty(streamKey);
            if (upstreamStream != null) {
                boolean above = connection().goAwayReceived()
                        && stream.id() > connection().local().lastStreamKnownByPeer();
                upstreamStream.closed(refusal, above);
            }
        }
    }
}
