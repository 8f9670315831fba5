package dev.postern.load.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.transport.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Request worker: sends a given number of requests in a closed loop over kept-alive connections. Arguments: port, bytes
 * in the body of each response, and {@code PATH=FILE} for each path that needs tokens, one a line. A question is
 * {@code PATH CONNECTIONS REQUESTS}; its response is the number of responses per second. Another status than 200 ends
 * it.
 */
public final class RequestWorker {
    private final List<Channel> connections = new ArrayList<>();
    private final Map<String, Iterator<String>> tokens = new HashMap<>();
    private final EventLoop loop;
    private final int port;
    private final int body;

    private RequestWorker(EventLoop loop, int port, int body) {
        this.loop = loop;
        this.port = port;
        this.body = body;
    }

    public static void main(String... arguments) throws IOException {
        EventLoopGroup group = Loops.one();
        try {
            RequestWorker worker =
                    new RequestWorker(group.next(), Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
            for (String argument : List.of(arguments).subList(2, arguments.length)) {
                String[] words = argument.split("=", 2);
                worker.tokens.put(
                        words[0], Files.readAllLines(Path.of(words[1])).iterator());
            }
            Worker.serve(worker::response);
        } finally {
            group.shutdownGracefully();
        }
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
        loop.execute(() -> connections.subList(0, count).forEach(series::begin));
        series.await();
        return String.valueOf(requests * 1e9 / (System.nanoTime() - start));
    }

    private Channel connect() {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(Transport.channelOf(loop))
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new Responses());
        return bootstrap
                .connect(InetAddress.getLoopbackAddress(), port)
                .syncUninterruptibly()
                .channel();
    }

    private Iterator<byte[]> requests(String path) {
        Iterator<String> own = tokens.get(path);
        byte[] plain = HttpConnection.get(path, "");
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return own == null || own.hasNext();
            }

            @Override
            public byte[] next() {
                return own == null
                        ? plain
                        : ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: PrivateToken token=\""
                                        + own.next() + "\"\r\n\r\n")
                                .getBytes(US_ASCII);
            }
        };
    }
}
