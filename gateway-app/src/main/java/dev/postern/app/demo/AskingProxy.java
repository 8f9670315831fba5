package dev.postern.app.demo;

import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.LocalServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Proxy of the demo that stands for nginx, Traefik, Caddy or Envoy: it asks the gateway about each request, and forwards those that may pass to
 * the site itself. For requests without body. Thread-safe.
 */
final class AskingProxy implements AutoCloseable {

    private static final int BUFFER = 8 * 1024;
    private static final int OK = 200;
    private static final String OWN_PATHS = "/.postern/";

    /** Fields of a client that the gateway decides by. */
    private static final List<String> ASKED = List.of(
            "Authorization", "Cookie", "Accept", "Accept-Language", "User-Agent", "Sec-Fetch-Mode", "Sec-Purpose");

    /** Fields of a response that a client needs. */
    private static final List<String> RELAYED = List.of(
            "Content-Type",
            "Content-Security-Policy",
            "Cache-Control",
            "WWW-Authenticate",
            "Set-Cookie",
            "Retry-After",
            "Postern-Queue-Position",
            "X-Request-ID");

    private final LocalServer server;
    private final int gateway;
    private final int site;

    /**
     * @param gateway port of a listener in mode authorize, dialect forwarded
     * @param site port of the site
     */
    AskingProxy(InetSocketAddress address, int gateway, int site) throws IOException {
        this.gateway = gateway;
        this.site = site;
        this.server = LocalServer.start(address, "postern-asking-proxy", this::serve);
    }

    int port() {
        return server.port();
    }

    private void serve(Socket client) throws IOException {
        Http1Socket connection = new Http1Socket(client, BUFFER);
        for (Http1Head request = connection.head(); request != null; request = connection.head()) {
            connection.skipBody(request);
            connection.send(response(request, client));
        }
    }

    private byte[] response(Http1Head request, Socket client) throws IOException {
        String path = request.word(1);
        boolean own = path.startsWith(OWN_PATHS);
        Http1Socket.Response answer = ask(own ? path : "/", request, client);
        if (answer.status() != OK || own) {
            return relayed(answer, answer);
        }
        try (Http1Socket socket = Http1Socket.to(site)) {
            return relayed(socket.ask(Http1Socket.get(path, "")), answer);
        }
    }

    private Http1Socket.Response ask(String path, Http1Head request, Socket client) throws IOException {
        StringBuilder fields = new StringBuilder();
        add(fields, "X-Forwarded-Method", request.word(0));
        add(fields, "X-Forwarded-Proto", "http");
        add(fields, "X-Forwarded-Host", request.field("host"));
        add(fields, "X-Forwarded-Uri", request.word(1));
        add(fields, "X-Forwarded-For", client.getInetAddress().getHostAddress());
        ASKED.forEach(name -> request.values(name).forEach(value -> add(fields, name, value)));
        try (Http1Socket socket = Http1Socket.to(gateway)) {
            return socket.ask(Http1Socket.get(path, fields.toString()));
        }
    }

    /**
     * Returns a response for the client.
     *
     * @param answer of the gateway, whose id and cookies the client gets too
     */
    private static byte[] relayed(Http1Socket.Response response, Http1Socket.Response answer) {
        byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder("HTTP/1.1 " + response.status() + " \r\n");
        for (String name : RELAYED) {
            List<String> values = response.head().values(name);
            (values.isEmpty() ? answer.head().values(name) : values).forEach(value -> add(head, name, value));
        }
        add(head, "Content-Length", Integer.toString(body.length));
        byte[] start = Http1Socket.bytes(head + "\r\n");
        byte[] all = new byte[start.length + body.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(body, 0, all, start.length, body.length);
        return all;
    }

    private static void add(StringBuilder fields, String name, String value) {
        fields.append(name).append(": ").append(value).append("\r\n");
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
