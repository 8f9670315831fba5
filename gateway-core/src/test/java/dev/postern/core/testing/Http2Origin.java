package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Origin of HTTP/2 on Netty's streams, with small windows and few streams. It responds to each path with a body derived from it, and can be
 * made to misbehave. It refuses and resets the same paths in every run.
 */
public final class Http2Origin implements AutoCloseable {

    private static final int WINDOW = 3000;
    private static final int STREAMS = 8;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Map<String, AtomicInteger> posts = new ConcurrentHashMap<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Channel server;
    private volatile boolean refuses;
    private volatile boolean breaks;

    public Http2Origin() {
        server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.add(channel);
                        channel.pipeline()
                                .addLast(Http2FrameCodecBuilder.forServer()
                                        .initialSettings(Http2Settings.defaultSettings()
                                                .maxConcurrentStreams(STREAMS)
                                                .initialWindowSize(WINDOW))
                                        .build())
                                .addLast(new Http2MultiplexHandler(new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel stream) {
                                        stream.pipeline().addLast(new Serving());
                                    }
                                }));
                    }
                })
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
    }

    public String address() {
        return "127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** Returns the response body of that path. */
    public static String body(String path) {
        return FaultyOrigin.body(path);
    }

    /** Returns how often each path was processed by POST. */
    public Map<String, AtomicInteger> posts() {
        return posts;
    }

    /** Sets whether it refuses each tenth path the first time. */
    public void refuses(boolean value) {
        refuses = value;
    }

    /** Sets whether it resets some paths, or does not respond to them. */
    public void breaks(boolean value) {
        breaks = value;
    }

    /** Sends GOAWAY on all connections, once; open streams are completed, and the clients close the connections. */
    public void goaway() {
        for (Channel one : List.copyOf(connections)) {
            connections.remove(one); // the GOAWAY names the last stream once
            one.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
        }
    }

    /** Closes all connections without GOAWAY. */
    public void drop() {
        connections.close();
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Handler of one stream. */
    private final class Serving extends SimpleChannelInboundHandler<Http2StreamFrame> {

        private String method = "";
        private String path = "";

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, Http2StreamFrame frame) {
            boolean last = false;
            if (frame instanceof Http2HeadersFrame head) {
                if (head.headers().path() != null) {
                    method = head.headers().method().toString();
                    path = head.headers().path().toString();
                }
                last = head.isEndStream();
            } else if (frame instanceof Http2DataFrame data) {
                last = data.isEndStream();
            }
            if (last) {
                response(ctx, new SplittableRandom(path.hashCode()).nextInt(100));
            }
        }

        private void response(ChannelHandlerContext ctx, int lot) {
            if (refuses && lot < 10 && refused.add(path)) {
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
                return;
            }
            if (method.equals("POST")) {
                posts.computeIfAbsent(path, p -> new AtomicInteger()).incrementAndGet();
            }
            if (breaks && lot >= 90) {
                if (lot < 95) {
                    ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
                }
                return; // the other requests get no response
            }
            ctx.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200")));
            if (breaks && lot >= 85) {
                ctx.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.copiedBuffer("/", ISO_8859_1)));
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
                return;
            }
            ctx.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.copiedBuffer(body(path), ISO_8859_1), true));
        }
    }
}
