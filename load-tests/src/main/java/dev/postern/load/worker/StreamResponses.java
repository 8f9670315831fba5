package dev.postern.load.worker;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import java.util.Iterator;
import javax.net.ssl.SSLException;

/**
 * Stream responses on one connection of HTTP/2 over TLS: sends each request's fields on a stream of its own and notifies
 * the loop at the end of the stream.
 */
final class StreamResponses extends Http2ChannelDuplexHandler {
    private static final AttributeKey<ClosedLoop> CURRENT = AttributeKey.valueOf(StreamResponses.class, "current");

    /** Returns the loop of a connection that sends these requests, which connections may share. */
    static ClosedLoop requests(Channel connection, Iterator<Http2Headers> requests) {
        ClosedLoop all = new ClosedLoop(loop -> {
            if (!requests.hasNext()) {
                return false;
            }
            connection.writeAndFlush(requests.next());
            return true;
        });
        connection.attr(CURRENT).set(all);
        return all;
    }

    /** Returns the initializer of connections whose messages are {@link Http2Headers}. */
    static ChannelInitializer<Channel> initializer() {
        SslContext tls = tls();
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel connection) {
                connection
                        .pipeline()
                        // The requests that follow on the responses of one read share a TLS record and a system call.
                        .addLast(tls.newHandler(connection.alloc()), new FlushConsolidationHandler())
                        .addLast(Http2FrameCodecBuilder.forClient().build(), new StreamResponses());
            }
        };
    }

    private static SslContext tls() {
        try {
            return SslContextBuilder.forClient()
                    .trustManager(InsecureTrustManagerFactory.INSTANCE)
                    .endpointIdentificationAlgorithm(null)
                    .protocols("TLSv1.3")
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            Protocol.ALPN,
                            SelectorFailureBehavior.NO_ADVERTISE,
                            SelectedListenerFailureBehavior.ACCEPT,
                            "h2"))
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        Object out = message instanceof Http2Headers fields
                ? new DefaultHttp2HeadersFrame(fields, true).stream(newStream())
                : message;
        context.write(out, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            ClosedLoop current = context.channel().attr(CURRENT).get();
            if (current == null) {
                return;
            }
            boolean end = false;
            if (message instanceof Http2HeadersFrame head) {
                if (!"200".contentEquals(head.headers().status())) {
                    current.fail("status: " + head.headers().status() + " (expected: 200)");
                    return;
                }
                end = head.isEndStream();
            } else if (message instanceof Http2DataFrame data) {
                int read = data.initialFlowControlledBytes();
                context.write(new DefaultHttp2WindowUpdateFrame(read).stream(data.stream()));
                end = data.isEndStream();
            }
            if (end) {
                current.responded();
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        ClosedLoop current = context.channel().attr(CURRENT).get();
        if (current != null) {
            current.fail("connection: closed by the server (expected: kept alive)");
        }
        super.channelInactive(context);
    }
}
