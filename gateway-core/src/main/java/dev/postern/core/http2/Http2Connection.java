package dev.postern.core.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.exchange.Client;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.RequestHead;
import dev.postern.core.exchange.Stage;
import dev.postern.core.http1.Http1Limits;
import dev.postern.core.lifecycle.Drain;
import dev.postern.core.route.Policy;
import dev.postern.core.transport.Deadline;
import dev.postern.core.transport.Lingering;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client connection of HTTP/2 (RFC 9113): makes exchanges of its streams, lets their answers out, and keeps the client within its
 * budgets. Frames, HPACK and windows are Netty's; there is no channel for each stream.
 *
 * <p>The only one to write. One per channel, confined to its event loop.
 */
public final class Http2Connection extends Http2ConnectionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Http2Connection.class);
    private static final int MOST_UNSENT = 256 * 1024;
    private static final long LAST_CALL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long FAREWELL_SECONDS = 2;
    private static final long LAST_CALL = 0x706f737465726eL;

    private final Http1Limits limits;
    private final Http2Limits budgetLimits;
    private final Client client;
    private final Drain drain;
    private final BudgetListener watch;
    private final Budgets budgets;
    private final FrameWatch frames;
    private final StreamTable streams;
    private final StallSweep sweep;
    private final Deadline idle;
    private final Deadline block;
    private final Deadline lastCall;
    private final Runnable flush = this::flushNow;
    private @Nullable ChannelHandlerContext context;
    private int watchedBlock;
    private boolean reading;
    private boolean flushing;
    private boolean going;
    private boolean goneAway;
    private boolean inputEnded;
    private boolean leaving;

    /** Netty's half, made before ours. */
    private record Codec(
            DefaultHttp2ConnectionDecoder decoder,
            BoundedEncoder encoder,
            FieldSection section,
            StreamTable streams,
            Http2Settings settings) {}

    /** What a connection is made of. */
    public record Settings(Http1Limits limits, Http2Limits budgets, BudgetListener watch) {}

    /**
     * @param policies the current configuration, asked once for each exchange
     * @param drain says when the process is going down
     */
    public Http2Connection(Settings settings, Supplier<Policy> policies, Client client, Drain drain) {
        this(codec(settings), settings, policies, client, drain);
    }

    private Http2Connection(Codec codec, Settings settings, Supplier<Policy> policies, Client client, Drain drain) {
        super(codec.decoder(), codec.encoder(), codec.settings(), true, true);
        this.limits = settings.limits();
        this.budgetLimits = settings.budgets();
        this.watch = settings.watch();
        this.client = client;
        this.drain = drain;
        this.budgets = new Budgets(budgetLimits, limits.requestHead(), () -> System.nanoTime() / 1000);
        this.frames = new FrameWatch(budgets);
        this.streams = codec.streams();
        this.sweep = new StallSweep(this, client.loop(), streams, limits.bodyIdle(), budgetLimits.windowTimeout());
        this.idle = new Deadline(client.loop(), this::idleTooLong);
        this.block = new Deadline(client.loop(), () -> over(Budget.HEAD_TIMEOUT));
        this.lastCall = new Deadline(client.loop(), this::lastCall);
        decoder().frameListener(new Requests(this, codec.section(), client, policies));
        connection().addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                streamClosed(stream);
            }
        });
    }

    private static Codec codec(Settings settings) {
        Http2Limits budgets = settings.budgets();
        DefaultHttp2Connection connection = new DefaultHttp2Connection(true, 0);
        // What clients say of priorities is of no use to anybody and costs a tree (RFC 9113 section 5.3.1).
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
        BoundedEncoder encoder = new BoundedEncoder(connection, budgets.headerTable());
        FieldSection section = new FieldSection(settings.limits().requestHead());
        FieldDecoder fields = new FieldDecoder(section, RequestHead::new);
        StreamTable streams = new StreamTable(connection);
        DefaultHttp2ConnectionDecoder decoder = new DefaultHttp2ConnectionDecoder(
                connection,
                encoder,
                new OrderedReader(new DefaultHttp2FrameReader(fields, Integer.MAX_VALUE), connection, streams),
                Http2PromisedRequestVerifier.ALWAYS_VERIFY,
                true,
                true,
                false,
                false);
        Http2Settings said = new Http2Settings()
                .maxConcurrentStreams(budgets.maxStreams())
                .initialWindowSize(budgets.streamWindow())
                .headerTableSize(budgets.headerTable())
                .maxHeaderListSize(settings.limits().requestHead());
        return new Codec(decoder, encoder, section, streams, said);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        super.handlerAdded(ctx);
        int more = budgetLimits.connectionWindow() - Http2CodecUtil.DEFAULT_WINDOW_SIZE;
        if (more > 0) {
            decoder().flowController().incrementWindowSize(connection().connectionStream(), more);
        }
        idle.set(System.nanoTime(), limits.keepAlive().toNanos());
        flushSoon();
        if (drain.begun()) {
            goAwaySoon();
        }
    }

    // ---- what comes in

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        ByteBuf in = (ByteBuf) message;
        if (leaving) {
            in.release();
            return;
        }
        reading = true;
        Budget over = frames.look(in);
        if (over != null) {
            in.release();
            over(over);
            return;
        }
        super.channelRead(ctx, in);
        watchBlock();
    }

    private void watchBlock() {
        int open = frames.openBlock();
        if (open == 0) {
            block.clear();
        } else if (open != watchedBlock && !leaving) {
            block.set(System.nanoTime(), limits.headTimeout().toNanos());
        }
        watchedBlock = open;
    }

    /** Whether as many streams are under way as may be; so from the first frame, acknowledged or not (CVE-2026-47244). */
    boolean full() {
        return streams.size() >= budgetLimits.maxStreams();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        reading = false;
        super.channelReadComplete(ctx);
        // Heads of answers know no windows: who sends requests and reads nothing must not fill our memory.
        if (!ctx.channel().isWritable() && ctx.channel().bytesBeforeWritable() > MOST_UNSENT) {
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

    /** An exchange is about to be fired. */
    void arrived(Http2Answer answer) {
        idle.clear();
        streams.put(answer);
        sweep.start();
    }

    ChannelHandlerContext ctx() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }

    Channel channel() {
        return ctx().channel();
    }

    @Nullable
    Http2Answer answer(int streamId) {
        return streams.get(streamId);
    }

    /** So many bytes of a body were taken by whoever reads it. */
    void taken(Http2Stream stream, int bytes) {
        try {
            if (decoder().flowController().consumeBytes(stream, bytes)) {
                flushSoon();
            }
        } catch (Http2Exception e) {
            onError(ctx(), false, e);
        }
    }

    /** The client told us nothing with that frame. */
    void emptyFrame() {
        overIf(budgets.empty());
    }

    // ---- what goes out

    void writeHead(Http2Stream stream, Http2Headers head, boolean last, ChannelPromise promise) {
        encoder().writeHeaders(ctx(), stream.id(), head, 0, last, promise);
    }

    void writeData(Http2Stream stream, ByteBuf data, boolean last, ChannelPromise promise) {
        budgets.sent(data.readableBytes());
        encoder().writeData(ctx(), stream.id(), data, 0, last, promise);
    }

    ChannelPromise promise() {
        return ctx().newPromise();
    }

    /** Sends what was written, with whatever else this pass of the loop brings. */
    void flushSoon() {
        if (!reading && !flushing) {
            flushing = true;
            client.loop().execute(flush);
        }
    }

    private void flushNow() {
        flushing = false;
        if (!ctx().isRemoved()) {
            flush(ctx());
        }
    }

    /** Hands what windows allow to the channel, ahead of what is written next. */
    void letOut() {
        try {
            encoder().flowController().writePendingBytes();
        } catch (Http2Exception e) {
            onError(ctx(), true, e);
        }
    }

    void reset(Http2Stream stream, Http2Error error) {
        streams.reset(stream.id());
        resetStream(ctx(), stream.id(), error.code(), promise());
        flushSoon();
    }

    /** The client made us reset a stream. */
    void fault() {
        overIf(budgets.fault());
    }

    /** All of an answer is out, or as much as there will be. */
    void completed(Http2Answer answer, boolean wasReset) {
        Exchange exchange = answer.exchange();
        exchange.timeline().mark(Stage.SEND);
        exchange.end();
        Http2RequestBody body = answer.body();
        if (body == null || body.complete() || wasReset) {
            return;
        }
        // RFC 9113 section 8.1: the client need not go on; what is little is read away instead, as some don't expect
        // that.
        if (exchange.request().expectsContinue() || body.outstanding() > limits.discardBody()) {
            reset(answer.stream(), Http2Error.NO_ERROR);
        } else {
            body.discard();
        }
    }

    /** Resets a stream whose body nobody wants once too much of it has come. */
    void discarded(Http2Answer answer, Http2RequestBody body) {
        if (answer.over() && body.discarded() > limits.discardBody()) {
            reset(answer.stream(), Http2Error.NO_ERROR);
        }
    }

    private void streamClosed(Http2Stream stream) {
        Http2Answer answer = streams.remove(stream);
        if (answer != null) {
            answer.closed();
        }
        if (connection().numActiveStreams() == 0 && channel().isActive()) {
            becomeIdle();
        }
    }

    // ---- errors

    @Override
    protected void onStreamError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception.StreamException error) {
        if (outbound || leaving) {
            super.onStreamError(ctx, outbound, cause, error);
            return;
        }
        if (error.error() == Http2Error.STREAM_CLOSED && streams.wasReset(error.streamId())) {
            return; // on its way when we reset the stream (RFC 9113 section 5.1)
        }
        streams.reset(error.streamId());
        super.onStreamError(ctx, false, cause, error);
        fault();
    }

    @Override
    protected void onConnectionError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, @Nullable Http2Exception error) {
        Http2Error code = error == null ? Http2Error.INTERNAL_ERROR : error.error();
        if (code == Http2Error.INTERNAL_ERROR && !(cause instanceof IOException)) {
            LOG.warn(
                    "listener {}: http2: a connection failed", client.listener().name(), cause);
        } else {
            LOG.debug("listener {}: http2: {}", client.listener().name(), String.valueOf(cause.getMessage()));
        }
        hangUp(code, error == null ? "" : String.valueOf(error.getMessage()));
    }

    private void overIf(@Nullable Budget budget) {
        if (budget != null) {
            over(budget);
        }
    }

    /** Ends the connection of a client that used a budget up (RFC 9113 section 10.5). */
    void over(Budget budget) {
        if (!leaving) {
            watch.over(budget, client);
            hangUp(Http2Error.ENHANCE_YOUR_CALM, budget.label());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
        if (Http2CodecUtil.getEmbeddedHttp2Exception(cause) != null) {
            super.exceptionCaught(ctx, cause);
        } else {
            ctx.close(); // a reset by the client, most often; channelInactive cleans up
        }
    }

    // ---- how it ends

    private void becomeIdle() {
        if (goneAway || inputEnded) {
            hangUp(Http2Error.NO_ERROR, "");
        } else {
            idle.set(System.nanoTime(), limits.keepAlive().toNanos());
        }
        sweep.stop();
    }

    private void idleTooLong() {
        if (connection().numActiveStreams() == 0) {
            hangUp(Http2Error.NO_ERROR, "");
        }
    }

    /** Says why, and closes so that it arrives. */
    private void hangUp(Http2Error error, String why) {
        if (leaving) {
            return;
        }
        leaving = true;
        stopWaiting();
        ChannelHandlerContext ctx = ctx();
        if (!ctx.channel().isActive()) {
            ctx.close();
            return;
        }
        ByteBuf debug = why.isEmpty() ? Unpooled.EMPTY_BUFFER : Unpooled.copiedBuffer(why, US_ASCII);
        ChannelFuture said = frameWriter()
                .writeGoAway(ctx, connection().remote().lastStreamCreated(), error.code(), debug, ctx.newPromise());
        ctx.flush();
        said.addListener((ChannelFutureListener) done -> Lingering.close(done.channel()));
        client.loop().schedule(() -> ctx.close(), FAREWELL_SECONDS, TimeUnit.SECONDS);
        streams.abandonAll();
    }

    private void stopWaiting() {
        idle.stop();
        block.stop();
        lastCall.stop();
        sweep.stop();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event == Drain.BEGUN) {
            goAwaySoon();
        } else if (event == ChannelInputShutdownEvent.INSTANCE || event instanceof SslCloseCompletionEvent) {
            inputEnded = true;
            if (connection().numActiveStreams() == 0) {
                hangUp(Http2Error.NO_ERROR, "");
            }
        } else {
            super.userEventTriggered(ctx, event);
        }
    }

    /** The first of two farewells (RFC 9113 section 6.8): no new streams, please; those on their way are welcome. */
    private void goAwaySoon() {
        if (going || leaving) {
            return;
        }
        going = true;
        goAway(ctx(), Integer.MAX_VALUE, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, promise());
        encoder().writePing(ctx(), false, LAST_CALL, promise());
        lastCall.set(System.nanoTime(), LAST_CALL_NANOS);
        flushSoon();
    }

    /** A PING came back: what was on its way before our first farewell has arrived. */
    void pinged(long data) {
        if (going && data == LAST_CALL) {
            lastCall();
        }
    }

    private void lastCall() {
        if (goneAway || leaving) {
            return;
        }
        goneAway = true;
        lastCall.stop();
        if (connection().numActiveStreams() == 0) {
            hangUp(Http2Error.NO_ERROR, "");
        } else {
            int last = connection().remote().lastStreamCreated();
            goAway(ctx(), last, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, promise());
            flushSoon();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        leaving = true;
        stopWaiting();
        super.channelInactive(ctx);
        streams.abandonAll();
    }
}
