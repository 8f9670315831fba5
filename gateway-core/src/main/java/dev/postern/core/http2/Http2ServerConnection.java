package dev.postern.core.http2;

import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.AbuseLimitListener;
import dev.postern.core.http2.guard.FrameFloodGuard;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.transport.ConnectionErrors;
import dev.postern.core.transport.ReceiveWindows;
import dev.postern.core.transport.loop.Deadline;
import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP/2 connection of one client (RFC 9113): creates exchanges from its streams, writes their responses, and keeps the client within its
 * limits.
 *
 * <p>This handler is the only writer of the channel. One per channel, confined to its event loop.
 */
public final class Http2ServerConnection extends AbstractHttp2Connection {

    private static final Logger LOG = LoggerFactory.getLogger(Http2ServerConnection.class);
    private static final int MAX_UNSENT = 256 * 1024;

    private final ConnectionSettings limits;
    private final Http2Limits http2Limits;
    private final ClientConnection client;
    private final DrainState state;
    private final AbuseLimitListener abuseListener;
    private final StreamTable streams;
    private final StreamTimeoutSweeper sweeper;
    private final RequestHeadPool pool;
    private final GracefulShutdown shutdown;
    private final ConnectionPrefaceCheck check;
    private final Deadline block;
    private final CoalescedResponseWriter coalesced;
    private final List<Http2RequestBody> passedOn = new ArrayList<>();
    private int watchedBlock;

    /** Settings of a connection, and the listener for exceeded limits. */
    public record Settings(
            ConnectionSettings limits,
            Http2Limits http2Limits,
            AbuseLimitListener abuseListener,
            ReceiveWindows windows) {}

    /**
     * @param snapshots the current configuration, read once for each exchange
     * @param state reports when the process is stopping
     */
    public Http2ServerConnection(
            Settings settings, Supplier<RoutingSnapshot> snapshots, ClientConnection client, DrainState state) {
        this(Http2ServerCodec.of(settings, client.loop().ticker()), settings, snapshots, client, state);
    }

    private Http2ServerConnection(
            Http2ServerCodec codec,
            Settings settings,
            Supplier<RoutingSnapshot> snapshots,
            ClientConnection client,
            DrainState state) {
        super(
                codec.decoder(),
                codec.encoder(),
                codec.settings(),
                codec.limits(),
                FrameFloodGuard.ofClient(codec.limits()));
        this.limits = settings.limits();
        this.http2Limits = settings.http2Limits();
        this.abuseListener = settings.abuseListener();
        this.client = client;
        this.state = state;
        this.streams = codec.streams();
        this.sweeper = new StreamTimeoutSweeper(
                this, client.loop(), streams, limits.bodyIdleTimeout(), http2Limits.windowTimeout());
        this.pool = codec.pool();
        this.shutdown = new GracefulShutdown(this, client.loop(), limits.keepAliveTimeout());
        this.check = new ConnectionPrefaceCheck(shutdown, client.loop(), limits.headTimeout());
        this.coalesced = new CoalescedResponseWriter(codec.encoder().fields(), connection());
        this.block = new Deadline(client.loop(), () -> over(AbuseLimit.HEAD_TIMEOUT));
        decoder().frameListener(new ServerFrameListener(this, codec.block(), client, snapshots));
        connection().addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                streamClosed(stream);
            }
        });
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        super.handlerAdded(ctx);
        int more = http2Limits.connectionWindow() - Http2CodecUtil.DEFAULT_WINDOW_SIZE;
        if (more > 0) {
            decoder().flowController().incrementWindowSize(connection().connectionStream(), more);
        }
        shutdown.idle();
        flushSoon();
        if (state.begun()) {
            shutdown.soon();
        }
    }

    // ---- inbound

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        if (!deaf() && !check.begin(ctx.pipeline())) {
            shutdown.now(Http2Error.INADEQUATE_SECURITY, "cipher");
        }
        super.channelRead(ctx, message);
        watchBlock();
    }

    @Override
    protected boolean deaf() {
        return shutdown.leaving();
    }

    private void watchBlock() {
        int open = openBlock();
        if (open == 0) {
            block.clear();
        } else if (open != watchedBlock && !shutdown.leaving()) {
            block.set(limits.headTimeout().toNanos());
        }
        watchedBlock = open;
    }

    /**
     * Returns whether the maximum number of streams is open; enforced from the first frame, before the client acknowledges the settings
     * (CVE-2026-47244).
     */
    boolean full() {
        return streams.size() >= http2Limits.maxStreams();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        for (int i = 0; i < passedOn.size(); i++) {
            passedOn.get(i).readComplete();
        }
        passedOn.clear();
        super.channelReadComplete(ctx);
        // Heads of responses are not flow-controlled: a client that sends requests and reads nothing must not fill our
        // memory.
        if (!ctx.channel().isWritable() && ctx.channel().bytesBeforeWritable() > MAX_UNSENT) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
        super.channelWritabilityChanged(ctx);
        if (ctx.channel().isWritable() && !ctx.channel().config().isAutoRead()) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    /** Records a body whose reader got something in this read. */
    void passedOn(Http2RequestBody body) {
        passedOn.add(body);
    }

    /** Registers an exchange that is about to be fired into the pipeline. */
    void arrived(Http2ResponseWriter response) {
        shutdown.busy();
        streams.put(response);
        sweeper.start();
        if (state.requested()) {
            shutdown.soon(); // of a connection that is new: before its first request it would only be opened again
        }
    }

    Channel channel() {
        return ctx().channel();
    }

    Ticker ticker() {
        return client.loop().ticker();
    }

    @Nullable
    Http2ResponseWriter response(int streamId) {
        return streams.get(streamId);
    }

    /** Returns whether the window of the connection lets the client send a byte. */
    boolean receives() {
        return decoder().flowController().windowSize(connection().connectionStream()) > 0;
    }

    // ---- outbound

    void writeHead(Http2Stream stream, Http2Headers head, boolean last, ChannelPromise promise) {
        encoder().writeHeaders(ctx(), stream.id(), head, 0, last, promise);
    }

    void writeData(Http2Stream stream, ByteBuf data, boolean last, ChannelPromise promise) {
        sent(data.readableBytes());
        encoder().writeData(ctx(), stream.id(), data, 0, last, promise);
    }

    /** Writes head and body at once and ends the stream. Returns false when they must be written separately; nothing was changed then. */
    boolean writeCoalesced(Http2Stream stream, Http2Headers head, ByteBuf body, ChannelPromise promise) {
        int n = body.readableBytes();
        boolean written = coalesced.write(ctx(), stream, head, body, promise);
        if (written) {
            sentWhole(n);
            closeStreamLocal(stream, promise);
        }
        return written;
    }

    ChannelPromise promise() {
        return ctx().newPromise();
    }

    void reset(Http2Stream stream, Http2Error error) {
        streams.reset(stream.id());
        resetting();
        resetStream(ctx(), stream.id(), error.code(), promise());
        flushSoon();
    }

    /** Ends the exchange of a response that was sent completely, or as far as it ever will be. */
    void completed(Http2ResponseWriter response, boolean wasReset) {
        Exchange exchange = response.exchange();
        exchange.timeline().mark(StageName.SEND);
        if (response.completedByUpstream()) {
            completedByUpstream();
        }
        boolean waits = exchange.request().expectsContinue();
        exchange.end();
        pool.over(exchange);
        Http2RequestBody body = response.body();
        if (body == null || body.complete() || wasReset) {
            return;
        }
        // RFC 9113 section 8.1: the client need not send the rest of the body. A small rest is read and discarded
        // instead, because some clients do not expect a reset. A tunnel has no rest: its client would keep the drain
        // waiting.
        boolean endless = response.tunnelled() && draining();
        if (waits || endless || body.outstanding() > limits.discardBody().bytes()) {
            reset(response.stream(), Http2Error.NO_ERROR);
        } else {
            body.discard();
        }
    }

    /** Resets a stream with an unread body once more than the limit of it was discarded. */
    void discarded(Http2ResponseWriter response, Http2RequestBody body) {
        if (response.ended() && body.discarded() > limits.discardBody().bytes()) {
            reset(response.stream(), Http2Error.NO_ERROR);
        }
    }

    private void streamClosed(Http2Stream stream) {
        Http2ResponseWriter response = streams.remove(stream);
        if (response != null) {
            response.closed();
        }
        if (quiet() && channel().isActive()) {
            sweeper.stop();
            pool.rest();
            shutdown.idle();
        }
    }

    // ---- errors

    @Override
    protected void onStreamError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception.StreamException error) {
        if (outbound || shutdown.leaving()) {
            super.onStreamError(ctx, outbound, cause, error);
            return;
        }
        if (error.error() == Http2Error.STREAM_CLOSED && streams.wasReset(error.streamId())) {
            lateFrame(); // in flight when the gateway reset the stream (RFC 9113 section 5.1)
            return;
        }
        streams.reset(error.streamId());
        resetting();
        super.onStreamError(ctx, false, cause, error);
        fault();
    }

    @Override
    protected void failed(Throwable cause, @Nullable Http2Exception error) {
        Http2Error code = error == null ? Http2Error.INTERNAL_ERROR : error.error();
        if (code == Http2Error.INTERNAL_ERROR && !ConnectionErrors.is(cause)) {
            LOG.error(
                    "listener {}: http2: a connection failed", client.listener().name(), cause);
        } else {
            LOG.debug("listener {}: http2: {}", client.listener().name(), String.valueOf(cause.getMessage()));
        }
        shutdown.now(code, error == null ? "" : String.valueOf(error.getMessage()));
    }

    @Override
    protected void over(AbuseLimit limit) {
        if (!shutdown.leaving()) {
            abuseListener.over(limit, client);
            shutdown.now(Http2Error.ENHANCE_YOUR_CALM, limit.label());
        }
    }

    // ---- closing

    /** Returns whether no stream is open. */
    boolean quiet() {
        return connection().numActiveStreams() == 0;
    }

    void abandonStreams() {
        streams.abandonAll();
    }

    /** Stops all time limits of the connection. */
    void stopWatching() {
        check.over();
        block.stop();
        sweeper.stop();
    }

    /** Returns whether the gateway stops. */
    boolean draining() {
        return state.begun();
    }

    /** Handles the client's acknowledgement of the settings. */
    void acknowledged() {
        check.over();
    }

    /** Handles the acknowledgement of a PING. */
    void pinged(long data) {
        shutdown.pinged(data);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event == DrainState.BEGUN || event == DrainState.ASKED) {
            shutdown.soon();
            if (event == DrainState.BEGUN) {
                streams.each(Http2ResponseWriter::drain);
            }
        } else if (event == ChannelInputShutdownEvent.INSTANCE || event instanceof SslCloseCompletionEvent) {
            shutdown.inputEnded();
        } else {
            super.userEventTriggered(ctx, event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        shutdown.stop();
        super.channelInactive(ctx);
        abandonStreams();
    }
}
