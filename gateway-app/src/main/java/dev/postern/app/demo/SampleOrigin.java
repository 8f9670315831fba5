package dev.postern.app.demo;

import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.LocalServer;
import dev.postern.app.socket.LocalServer.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Origin server behind the gateway: one page, and a log of its requests. Thread-safe. */
final class SampleOrigin implements AutoCloseable {

    private static final Response PAGE = Response.ok(
            "Content-Type: text/plain; charset=utf-8\r\n",
            Http1Socket.bytes("Hello from the site. It does not know who you are.\n"));

    private final LocalServer server;
    private final List<String> log = new CopyOnWriteArrayList<>();

    SampleOrigin(InetSocketAddress address) throws IOException {
        server = LocalServer.start(address, "postern-site", LocalServer.of(this::response));
    }

    /** Returns the address as {@code host:port}. */
    String address() {
        return "127.0.0.1:" + port();
    }

    int port() {
        return server.port();
    }

    /** Returns method and path of every request so far. */
    List<String> log() {
        return List.copyOf(log);
    }

    private Response response(Http1Head request) {
        log.add(request.word(0) + " " + request.word(1).split("\\?", 2)[0]);
        return PAGE;
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
