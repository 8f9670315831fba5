package dev.postern.load.worker;

import dev.postern.core.transport.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Request worker: sends a given number of requests in a closed loop over kept-alive connections of HTTP/2 over TLS.
 * Arguments: port, connections, concurrent streams of each, and optionally a path whose requests need tokens and the file
 * of the tokens, one a line. A question is {@code PATH REQUESTS}; its response is the number of responses per second.
 * Another status than 200 ends it.
 */
public final class RequestWorker implements Worker.Task {
    private final List<Channel> connections = new ArrayList<>();
    private final EventLoop loop = Worker.loop();
    private final int port;
    private final int count;
    private final int streams;
    private final String path;
    private final Iterator<Http2Headers> redemptions;
    private final ChannelHandler initializer = StreamResponses.initializer();

    RequestWorker(String... arguments) throws IOException {
        port = Integer.parseInt(arguments[0]);
        count = Integer.parseInt(arguments[1]);
        streams = Integer.parseInt(arguments[2]);
        path = arguments.length > 3 ? arguments[3] : "";
        redemptions = path.isEmpty() ? Collections.emptyIterator() : redemptions(path, Path.of(arguments[4]));
    }

    @Override
    public Double response(String... words) {
        int number = Integer.parseInt(words[1]);
        while (connections.size() < count) {
            connections.add(connect());
        }
        Iterator<Http2Headers> requests = words[0].equals(path) ? next(redemptions, number) : open(words[0], number);
        long start = System.nanoTime();
        connections.stream()
                .map(connection ->
                        StreamResponses.requests(connection, requests).start(loop, streams))
                .toList()
                .forEach(ClosedLoop::get);
        return number * 1e9 / (System.nanoTime() - start);
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

    private static Iterator<Http2Headers> redemptions(String path, Path tokens) throws IOException {
        return Files.readAllLines(tokens).stream()
                .map(token -> request(path).set("authorization", "PrivateToken token=\"" + token + "\""))
                .iterator();
    }

    static <T> Iterator<T> next(Iterator<T> redemptions, int number) {
        List<T> next = new ArrayList<>();
        while (next.size() < number) {
            if (!redemptions.hasNext()) {
                throw new IllegalStateException("tokens: all used (expected: one for each request)");
            }
            next.add(redemptions.next());
        }
        return next.iterator();
    }

    private static Iterator<Http2Headers> open(String path, int number) {
        return Stream.generate(() -> request(path)).limit(number).iterator();
    }

    private static Http2Headers request(String path) {
        return new DefaultHttp2Headers()
                .method("GET")
                .scheme("https")
                .authority("localhost")
                .path(path);
    }
}
