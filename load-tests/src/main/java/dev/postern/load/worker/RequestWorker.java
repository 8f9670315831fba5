package dev.postern.load.worker;

import dev.postern.core.transport.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Request worker: sends a given number of requests in a closed loop over kept-alive connections. Arguments: port, bytes
 * in the body of each response, concurrent streams of each connection, which then uses HTTP/2 over TLS, or 0 for
 * HTTP/1.1, and {@code PATH=FILE} for each path that needs tokens, one a line. A question is
 * {@code PATH CONNECTIONS REQUESTS}; its response is the number of responses per second. Another status than 200 ends
 * it.
 */
public final class RequestWorker {
    private final List<Channel> connections = new ArrayList<>();
    private final Map<String, Iterator<String>> tokens = new HashMap<>();
    private final EventLoop loop;
    private final int port;
    private final int body;
    private final int streams;
    private final ChannelHandler initializer;

    private RequestWorker(EventLoop loop, String... arguments) throws IOException {
        this.loop = loop;
        port = Integer.parseInt(arguments[0]);
        body = Integer.parseInt(arguments[1]);
        streams = Integer.parseInt(arguments[2]);
        initializer = streams > 0 ? StreamResponses.initializer() : http1();
        for (String argument : List.of(arguments).subList(3, arguments.length)) {
            String[] words = argument.split("=", 2);
            tokens.put(words[0], Files.readAllLines(Path.of(words[1])).iterator());
        }
    }

    public static void main(String... arguments) throws IOException {
        EventLoopGroup group = Loops.one();
        try {
            RequestWorker worker = new RequestWorker(group.next(), arguments);
            Worker.serve(worker::response);
        } finally {
            group.shutdownGracefully();
        }
    }

    private static ChannelInitializer<Channel> http1() {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel connection) {
                connection.pipeline().addLast(new Responses());
            }
        };
    }

    private String response(String question) {
        String[] words = question.split(" ");
        int count = Integer.parseInt(words[1]);
        int requests = Integer.parseInt(words[2]);
        while (connections.size() < count) {
            connections.add(connect());
        }
        RequestSeries series = new RequestSeries(requests(words[0]), requests, body);
        long start = System.nanoTime();
        loop.execute(() ->
                connections.subList(0, count).forEach(connection -> series.begin(connection, Math.max(1, streams))));
        series.await();
        return String.valueOf(requests * 1e9 / (System.nanoTime() - start));
    }

    private Channel connect() {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(Transport.channelOf(loop))
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(initializer);
        return bootstrap
                .connect(InetAddress.getLoopbackAddress(), port)
                .syncUninterruptibly()
                .channel();
    }

    private Iterator<Object> requests(String path) {
        Iterator<String> own = tokens.get(path);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return own == null || own.hasNext();
            }

            @Override
            public Object next() {
                String credentials = own == null ? null : "PrivateToken token=\"" + own.next() + "\"";
                return streams > 0 ? fields(path, credentials) : bytes(path, credentials);
            }
        };
    }

    private static Object bytes(String path, @Nullable String credentials) {
        String field = credentials == null ? "" : "Authorization: " + credentials + "\r\n";
        return Unpooled.wrappedBuffer(HttpConnection.get(path, field));
    }

    private static Object fields(String path, @Nullable String credentials) {
        DefaultHttp2Headers fields = new DefaultHttp2Headers();
        fields.method("GET").scheme("https").authority("localhost").path(path);
        if (credentials != null) {
            fields.set("authorization", credentials);
        }
        return fields;
    }
}
