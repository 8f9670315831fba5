package dev.postern.core.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.http.Refusal;
import dev.postern.core.transport.LingeringClose;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Handler that checks the first bytes of a connection before TLS and HTTP/2, whose errors would not name the protocol. An HTTP client gets
 * a response in clear text. The handler removes itself when the bytes may be right. One per channel.
 */
public final class ForeignProtocolHandler extends ChannelInboundHandlerAdapter {

    private static final byte[] PROBLEM =
            LocalReply.problem(Refusal.REQUEST_MALFORMED, "This port speaks TLS. Connect to it with https://.");
    private static final byte[] HEAD = ("HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\n"
                    + "Cache-Control: no-store\r\nContent-Length: " + PROBLEM.length + "\r\nConnection: close\r\n\r\n")
            .getBytes(US_ASCII);

    private final Function<ByteBuf, @Nullable Why> rule;
    private final Consumer<Why> closing;
    private boolean mistaken;

    private ForeignProtocolHandler(Function<ByteBuf, @Nullable Why> rule, Consumer<Why> closing) {
        this.rule = rule;
        this.closing = closing;
    }

    /** Creates the handler of a listener that expects TLS; {@code closing} receives the reason before the connection is closed. */
    public static ForeignProtocolHandler ofTls(Consumer<Why> closing) {
        return new ForeignProtocolHandler(ForeignProtocol::ofTls, closing);
    }

    /** Creates the handler of a listener that expects HTTP/2 in clear text. */
    public static ForeignProtocolHandler ofHttp2(Consumer<Why> closing) {
        return new ForeignProtocolHandler(ForeignProtocol::ofClearText, closing);
    }

    /** Returns whether the client speaks another protocol, so that the result of the TLS handshake has no meaning. */
    public boolean mistaken() {
        return mistaken;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        @Nullable Why reason = mistaken ? null : rule.apply((ByteBuf) message);
        if (reason != null) {
            end(ctx, reason);
        }
        if (mistaken) {
            ReferenceCountUtil.release(message);
        } else {
            ctx.pipeline().remove(this);
            ctx.fireChannelRead(message); // a removed context still has its next handler
        }
    }

    private void end(ChannelHandlerContext ctx, Why reason) {
        mistaken = true;
        closing.accept(reason);
        if (ctx.pipeline().get(SslHandler.class) != null) {
            ctx.pipeline().remove(SslHandler.class); // the client must read the response in clear text
        }
        if (reason == Why.CLEAR_TEXT) {
            ctx.write(Unpooled.wrappedBuffer(HEAD, PROBLEM), ctx.voidPromise());
        }
        LingeringClose.close(ctx.channel());
    }
}
