package dev.postern.core.http1.client;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.http1.codec.BodyDecoder;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.transport.AcknowledgementLimit;
import dev.postern.core.transport.ConnectionErrors;
import dev.postern.core.transport.TcpState;
import dev.postern.core.transport.loop.Deadline;
import dev.postern.core.transport.loop.EventLoopLocal;
import dev.postern.core.upstream.connect.ResponseState;
import dev.postern.core.upstream.connect.UpstreamResponseHandler;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Connection of HTTP/1.1 to an upstream: sends a request, receives its response, then the next. Closed when bytes arrive without a request.
 * {@link ResponseState} and {@link RequestBodyWriter} have the states of the two halves.
 *
 * <p>One per channel, confined to its event loop.
 */
public final class Http1UpstreamConnection extends ChannelInboundHandlerAdapter implements UpstreamStream {

    private final Channel channel;
    private final Owner owner;
    private final HeadWriter heads;
    private final ResponseHeadParser parser = new ResponseHeadParser(HeadLimits.RESPONSES);
    private final BodyDecoder body = BodyDecoder.ofResponses();
    private final RequestBodyWriter requestBody;
    private final Deadline deadline;
    private final AcknowledgementLimit acknowledgement;
    private @Nullable UpstreamResponseHandler responseHandler;
    private ResponseState response = ResponseState.IDLE;
    private boolean headSent;
    private boolean keepAlive;
    private String upgrade = "";
    private @Nullable ByteBuf tunnelBytes;
    private boolean properEnd;

    private Http1UpstreamConnection(Channel channel, Owner owner, HeadWriter heads) {
        this.channel = channel;
        this.owner = owner;
        this.heads = heads;
        this.requestBody = new RequestBodyWriter(channel);
        this.deadline = new Deadline(channel.eventLoop(), this::late);
        this.acknowledgement = new AcknowledgementLimit(channel);
        // Under TLS only close_notify ends a response of unknown length: an attacker can close the TCP connection (RFC
        // 9112 section 9.8).
        this.properEnd = channel.pipeline().get(SslHandler.class) == null;
        // A failed write only ends the output: what the upstream sent before it closed is still in the socket.
        channel.config().setAutoClose(false);
    }

    /** Returns a function that adds the protocol to the pipeline of a connected channel; called on the channel's loop. */
    public static BiFunction<Channel, Owner, UpstreamStream> opener() {
        EventLoopLocal<HeadWriter> writers = new EventLoopLocal<>(loop -> new HeadWriter());
        return (channel, owner) -> {
            Http1UpstreamConnection connection =
                    new Http1UpstreamConnection(channel, owner, writers.get(channel.eventLoop()));
            channel.pipeline().addLast(connection);
            return connection;
        };
    }

    // ---- the request

    @Override
    public void send(RequestHead head, UpstreamResponseHandler next) {
        ByteBuf out = heads.request(head, channel.alloc());
        if (out == null) {
            deadline.clear();
            owner.free(true);
            next.unsendable();
            return;
        }
        responseHandler = next;
        response = ResponseState.SENT;
        requestBody.begin(head);
        acknowledgement.begin(head.hasBody() ? head.bodyLength() : 0);
        keepAlive = true;
        upgrade = head.has(FieldName.UPGRADE) ? head.upgrade() : "";
        parser.method(head.method());
        parser.begin(parser.head());
        headSent = false;
        if (requestBody.done()) {
            channel.writeAndFlush(out, channel.voidPromise());
        } else {
            channel.writeAndFlush(out).addListener(this::headWritten);
        }
    }

    private void headWritten(Future<? super Void> written) {
        headSent = written.isSuccess();
        if (!headSent) {
            channel.close(); // what arrives on the connection responds to nothing
        }
    }

    @Override
    public void body(ByteBuf data) {
        if (responseHandler == null) {
            data.release();
        } else {
            requestBody.data(data);
        }
    }

    @Override
    public void flush() {
        if (responseHandler != null) {
            channel.flush();
        }
    }

    @Override
    public void bodyEnd() {
        if (responseHandler == null) {
            return;
        }
        requestBody.end();
        channel.flush();
        if (tunnelBytes != null) {
            channel.eventLoop().execute(this::switchNow); // not while the client's connection still decodes the body
        }
    }

    @Override
    public boolean writable() {
        return channel.isWritable();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        UpstreamResponseHandler handler = responseHandler;
        if (handler != null && channel.isWritable()) {
            handler.writable();
        }
    }

    // ---- the response

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            if (responseHandler == null) {
                channel.close(); // a response without a request
            } else if (tunnelBytes != null) {
                tunnelBytes = Unpooled.wrappedBuffer(tunnelBytes, in.retain());
            } else {
                if (response == ResponseState.SENT) {
                    response = ResponseState.BEGUN;
                }
                response(in);
            }
        } catch (HttpParseException fault) {
            fail(Refusal.UPSTREAM_MALFORMED);
        } finally {
            in.release();
        }
    }

    private void response(ByteBuf in) {
        boolean more = in.isReadable();
        while (more && responseHandler != null) {
            UpstreamResponseHandler handler = responseHandler;
            if (response != ResponseState.BODY) {
                if (!parser.scan(in)) {
                    return;
                }
                head(parser.head(), handler, in);
                more = in.isReadable();
            } else if (body.takesAll(in)) {
                more = false;
                handler.content(in.retain());
            } else {
                ByteBuf data = body.next(in);
                if (data != null) {
                    handler.content(data);
                }
                more = in.isReadable();
            }
            if (response == ResponseState.BODY && body.done() && responseHandler == handler) {
                @Nullable Trailers trailers = body.trailers();
                if (trailers != null) {
                    handler.trailers(trailers);
                }
                finish(handler, more);
                return;
            }
        }
    }

    private void head(ResponseHead head, UpstreamResponseHandler handler, ByteBuf in) {
        keepAlive &= head.keepAlive();
        if (head.interim()) {
            handler.interim(head);
            parser.begin(head);
            return;
        }
        if (head.status() == 101) {
            agreed(head, handler, in);
            return;
        }
        response = ResponseState.BODY;
        String keepAliveField = head.value(FieldName.KEEP_ALIVE);
        if (keepAliveField != null && keepAlive) {
            owner.keptFor(KeepAliveHeader.timeout(keepAliveField));
        }
        body.begin(head.bodyLength());
        handler.head(head);
    }

    /** Receives a 101, which may come before the whole request is sent: the tunnel begins behind the request's body. */
    private void agreed(ResponseHead head, UpstreamResponseHandler handler, ByteBuf in) {
        if (upgrade.isEmpty() || !upgrade.equalsIgnoreCase(head.value(FieldName.UPGRADE))) {
            throw HttpParseException.malformed("101 without a requested upgrade");
        }
        ByteBuf behind = in.readRetainedSlice(in.readableBytes());
        channel.config().setAutoRead(false);
        if (requestBody.done()) {
            upgraded(head, handler, behind);
        } else {
            tunnelBytes = behind;
        }
    }

    private void switchNow() {
        UpstreamResponseHandler handler = responseHandler;
        ByteBuf behind = tunnelBytes;
        if (handler != null && behind != null) {
            tunnelBytes = null;
            upgraded(parser.head(), handler, behind);
        }
    }

    /**
     * Switches the connection from HTTP to the upgrade's protocol (RFC 9110 section 15.2.2); the pool is notified when the connection
     * closes.
     */
    private void upgraded(ResponseHead head, UpstreamResponseHandler handler, ByteBuf behind) {
        leave();
        deadline.stop();
        acknowledgement.begin(Long.MAX_VALUE);
        channel.closeFuture().addListener(closed -> owner.gone());
        channel.config().setAutoClose(true);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        channel.pipeline().remove(this);
        handler.upgraded(head, channel, behind);
    }

    private void finish(UpstreamResponseHandler handler, boolean more) {
        leave();
        deadline.clear();
        // Not writable: the rest of the request waits, or can't be written any more.
        boolean reusable = keepAlive && requestBody.done() && !more && channel.isActive() && channel.isWritable();
        resume();
        // Returned first: the client's next request may use this connection.
        owner.free(reusable);
        handler.complete();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        UpstreamResponseHandler handler = responseHandler;
        if (handler != null) {
            handler.readComplete();
        }
    }

    @Override
    public void pause() {
        channel.config().setAutoRead(false);
    }

    @Override
    public void resume() {
        if (!channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void expect(long now, Duration timeout) {
        deadline.set(now, timeout.toNanos());
    }

    @Override
    public void expectNothing() {
        deadline.clear();
    }

    private void late() {
        UpstreamResponseHandler handler = responseHandler;
        if (handler != null) {
            handler.late();
        }
    }

    // ---- closing

    /** Ends the exchange; its handler gets one more call at most. */
    private void leave() {
        responseHandler = null;
        response = ResponseState.IDLE;
        if (tunnelBytes != null) {
            tunnelBytes.release();
            tunnelBytes = null;
        }
    }

    @Override
    public void abort() {
        leave();
        channel.close();
    }

    @Override
    public boolean ended() {
        return TcpState.ended(channel);
    }

    @Override
    public void close() {
        channel.close();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent goodbye) {
            properEnd = goodbye.isSuccess();
            channel.close(); // close_notify ends the data
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        deadline.stop();
        UpstreamResponseHandler handler = responseHandler;
        ResponseState last = response;
        leave();
        owner.gone();
        if (handler == null) {
            return;
        }
        if (last == ResponseState.BODY && properEnd && body.completeAtClose()) {
            handler.complete();
        } else {
            handler.failed(Refusal.UPSTREAM_CLOSED, last == ResponseState.SENT);
        }
    }

    private void fail(Refusal refusal) {
        UpstreamResponseHandler handler = responseHandler;
        leave();
        channel.close();
        if (handler != null) {
            handler.failed(refusal, false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // Mostly a reset: channelInactive follows and notifies the handler. A response delimited by close is incomplete
        // then.
        properEnd = false;
        if (!headSent || !ConnectionErrors.onlyOutput(cause, channel)) {
            channel.close();
        }
    }
}
