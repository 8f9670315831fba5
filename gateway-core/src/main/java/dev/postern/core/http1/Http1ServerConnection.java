package dev.postern.core.http1;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.connection.ConnectionSettings.HalfClose;
import dev.postern.core.connection.ForeignProtocol;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.exchange.TunnelHandler;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.transport.CloseReply;
import dev.postern.core.transport.ConnectionErrors;
import dev.postern.core.transport.ConnectionReset;
import dev.postern.core.transport.InputEnd;
import dev.postern.core.transport.LingeringClose;
import dev.postern.core.transport.loop.Deadline;
import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection of an HTTP/1.1 client: creates exchanges from decoded requests and writes their responses in arrival order.
 *
 * <p>Only this handler changes autoRead, and only this handler writes, until the connection becomes a tunnel. One per channel, confined to
 * its event loop.
 */
public final class Http1ServerConnection extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(Http1ServerConnection.class);

    private final ConnectionSettings limits;
    private final Supplier<RoutingSnapshot> snapshots;
    private final ClientConnection client;
    private final DrainState state;
    private final HeadWriter heads;
    private final Consumer<Why> closing;
    private final Http1RequestDecoder decoder;
    private final KeepAliveRule keepAlive;
    private final PipeliningQueue queue = new PipeliningQueue();
    private final PendingResponses responses = new PendingResponses();
    private final Deadline idle;
    private @Nullable ChannelHandlerContext context;
    private boolean inputEnded;

    /**
     * @param snapshots supplies the current configuration, once for each exchange
     * @param state drain state of the listener or process
     * @param heads the head writer of the event loop
     * @param closing receives the reason for closing when the client speaks another protocol than HTTP
     */
    public Http1ServerConnection(
            ConnectionSettings limits,
            Supplier<RoutingSnapshot> snapshots,
            ClientConnection client,
            DrainState state,
            HeadWriter heads,
            Consumer<Why> closing) {
        this.limits = limits;
        this.snapshots = snapshots;
        this.client = client;
        this.state = state;
        this.heads = heads;
        this.closing = closing;
        this.decoder = new Http1RequestDecoder(limits, client, this);
        this.keepAlive = new KeepAliveRule(decoder, state);
        this.idle = new Deadline(client.loop(), this::idleTooLong);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        CloseReply.hold(ctx.pipeline());
        idle.set(state.idle(limits.keepAliveTimeout()));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        boolean keepsUp = decoder.read((ByteBuf) message, ctx.alloc());
        if (keepsUp) {
            afterReading();
        } else {
            ctx.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        decoder.readComplete();
        ctx.fireChannelReadComplete();
    }

    /** Continues decoding after a change that the decoder may have waited for. */
    void proceed() {
        decoder.proceed();
        afterReading();
    }

    private void afterReading() {
        if (decoder.holds()) {
            return;
        }
        if (inputEnded) {
            endOfInput();
        } else if (!ctx().channel().config().isAutoRead()) {
            ctx().channel().config().setAutoRead(true);
        }
    }

    /** Returns whether the maximum number of exchanges is under way. */
    boolean full() {
        return responses.size() >= limits.pipelineDepth();
    }

    void arrived(RequestHead head, @Nullable Http1RequestBody body, Timeline timeline) {
        idle.clear();
        if (!head.keepAlive() || head.mayTunnel()) {
            decoder.pause();
        }
        ctx().fireChannelRead(exchange(head, body == null ? RequestBody.EMPTY : body, timeline));
    }

    /**
     * Creates a refused exchange from a head that can't be parsed, so that the request is logged like any other.
     *
     * @param opening the received bytes, if they are the first of the connection
     */
    void faulty(RequestHead head, Refusal refusal, Timeline timeline, ByteBuf opening) {
        idle.clear();
        Exchange exchange = exchange(head, RequestBody.EMPTY, timeline);
        exchange.fault(refusal);
        @Nullable Why why = ForeignProtocol.ofClearText(opening);
        if (why != null) {
            exchange.outcome().reason(why.label());
            closing.accept(why);
        }
        ctx().fireChannelRead(exchange);
    }

    /** Refuses the last exchange: the body that is being received always belongs to it. */
    void bodyFaulty(Refusal refusal, String reason) {
        if (!responses.refuseLast(refusal, reason)) {
            ctx().close();
        }
    }

    /** Returns whether the body's exchange has begun its response: then the client may wait for response data before it sends more. */
    boolean responding(Http1RequestBody body) {
        return responses.responding(body);
    }

    void bodyDone() {
        if (responses.isEmpty()) {
            becomeIdle(idle.now());
        }
    }

    /** Sends 100 (Continue) when a reader waits for a body and the client expects it (RFC 9110 section 10.1.1). */
    void bodyAwaited(Http1RequestBody body) {
        responses.bodyAwaited(body);
    }

    private Exchange exchange(RequestHead head, RequestBody body, Timeline timeline) {
        PipeliningQueue.QueuedExchange queued =
                queue.arrive(head.method().safe() && !head.hasBody() && !head.mayTunnel());
        Http1ResponseWriter response = new Http1ResponseWriter(this, queued);
        Exchange exchange = snapshots
                .get()
                .rule(new Exchange(client, head, new Exchange.Carrier(body, response, queued), timeline));
        response.exchange(exchange);
        responses.add(response);
        if (responses.size() == 1) {
            response.becomeFirst();
        }
        return exchange;
    }

    /** Returns whether the connection closes after the response, which only the last one can; then no further head is read. */
    boolean closesAfter(Exchange exchange) {
        boolean closes = responses.endsWith(exchange) && keepAlive.closesAfter(exchange, inputEnded);
        if (closes) {
            decoder.pause();
        }
        return closes;
    }

    void completed(Http1ResponseWriter response) {
        if (!response.queued().closed()) {
            queue.skip(response.queued());
        }
        long now = 0;
        boolean known = false;
        for (Http1ResponseWriter first = responses.first();
                first != null && first.complete();
                first = responses.first()) {
            responses.removeFirst();
            Exchange done = first.exchange();
            now = done.timeline().mark(StageName.SEND);
            known = true;
            if (first.handler() != null) {
                done.markTunnelled();
                ctx().channel().closeFuture().addListener(closed -> done.over());
            }
            done.end();
            if (!goesOn(first)) {
                return;
            }
            Http1ResponseWriter next = responses.first();
            if (next != null) {
                next.becomeFirst();
            }
            queue.responded();
        }
        if (responses.isEmpty() && !decoder.inside()) {
            becomeIdle(known ? now : idle.now());
        }
        proceed();
    }

    /** Continues, upgrades or closes the connection after a response; false when HTTP on it ends. */
    private boolean goesOn(Http1ResponseWriter response) {
        Exchange done = response.exchange();
        TunnelHandler handler = response.handler();
        if (handler != null) {
            becomeTunnel(handler);
            return false;
        }
        if (response.closes()) {
            hangUp();
            return false;
        }
        if (done.request().mayTunnel()) {
            decoder.unpause();
        }
        decoder.discard(done.body());
        if (done.outcome().refusal() == null && done.outcome().forwarded()) {
            // The exchange passed all stages, so no stage uses the head and timeline any more.
            decoder.reuse(done.request(), done.timeline());
        }
        return true;
    }

    private void becomeTunnel(TunnelHandler handler) {
        idle.stop();
        new TunnelTakeover(ctx(), decoder.stopAndTakeHeld(), inputEnded, state.begun()).open(handler);
    }

    void write(ByteBuf out) {
        ChannelHandlerContext ctx = ctx();
        ctx.write(out, ctx.voidPromise());
    }

    void flush() {
        ctx().flush();
    }

    boolean writable() {
        return ctx().channel().isWritable();
    }

    /** Returns the number of bytes that wait to be written to the socket. */
    long unsent() {
        ChannelOutboundBuffer waiting = ctx().channel().unsafe().outboundBuffer();
        return waiting == null ? 0 : waiting.totalPendingWriteBytes();
    }

    HeadWriter heads() {
        return heads;
    }

    ByteBufAllocator allocator() {
        return ctx().alloc();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Http1ResponseWriter first = responses.first();
        if (first != null) {
            first.becameWritable();
        }
    }

    private void becomeIdle(long now) {
        if (inputEnded && !decoder.holds()) {
            hangUp();
        } else {
            idle.set(now, state.idle(limits.keepAliveTimeout()));
        }
    }

    private void idleTooLong() {
        boolean idling = responses.isEmpty() && !decoder.inside();
        if (idling && state.begun()) {
            hangUp();
        } else if (idling) {
            ctx().close();
        }
    }

    /** Closes the connection so that the last response arrives. */
    void hangUp() {
        decoder.stop();
        idle.stop();
        LingeringClose.close(ctx().channel());
    }

    /** Cuts off the first response: flushes the data written before, then resets, so that the client knows the response is incomplete. */
    void cut() {
        decoder.stop();
        ctx().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> ConnectionReset.send(ctx().channel()));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (InputEnd.is(event)) {
            inputEnds();
        } else if (event == DrainState.BEGUN) {
            if (responses.isEmpty() && !decoder.inside()) {
                becomeIdle(idle.now()); // a request may be under way, which the client sent before it could know
            }
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    private void inputEnds() {
        Http1ResponseWriter first = inputEnded ? null : responses.first();
        inputEnded = true;
        boolean waits = limits.halfClose() == HalfClose.ALLOW;
        if (first == null || (waits && !CloseReply.ended(ctx().channel()))) {
            proceed();
        } else {
            leave(first.begun() || waits);
        }
    }

    /**
     * Ends all exchanges of a client that has gone (ADR 43), or to which nothing can be sent.
     *
     * @param lost whether the client must not take what it got for all that it gets
     */
    private void leave(boolean lost) {
        flush();
        if (lost) {
            ConnectionReset.send(ctx().channel());
        } else {
            ctx().close();
        }
    }

    /** Handles the end of the client's input: complete requests get responses, an incomplete one is lost. */
    private void endOfInput() {
        if (decoder.inside()) {
            ctx().close();
        } else if (responses.isEmpty()) {
            hangUp();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        idle.stop();
        decoder.stop();
        queue.clear();
        responses.cutAll();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // Mostly a reset by the client; in any case the channel is unusable, and channelInactive cleans up.
        if (!ConnectionErrors.is(cause)) {
            LOG.error("listener {}: a connection failed", client.listener().name(), cause);
        }
        ctx.close();
    }

    private ChannelHandlerContext ctx() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }
}
