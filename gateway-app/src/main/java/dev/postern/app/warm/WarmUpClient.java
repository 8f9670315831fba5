package dev.postern.app.warm;

import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Client that repeats requests for all functions of the request path. For one thread. */
final class WarmUpClient {

    private static final String FIELDS = "Host: warm-up.invalid\r\nUser-Agent: Mozilla/5.0 (warm-up)\r\n"
            + "Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8\r\nAccept-Encoding: gzip, br\r\n"
            + "Accept-Language: en\r\nCookie: a=b; c=d\r\n";
    private static final List<byte[]> PLAIN = List.of(
            get("/"),
            get("/some/page?of=it"),
            get("/"),
            get("/limited"),
            Http1Socket.bytes("POST /form HTTP/1.1\r\n" + FIELDS + "Content-Length: 256\r\n\r\n" + "f".repeat(256)),
            get("/"),
            get("/large"),
            Http1Socket.bytes("GET /one HTTP/1.1\r\n" + FIELDS + "\r\nGET /two HTTP/1.1\r\n" + FIELDS + "\r\n"));
    private static final int TUNNELLED = 8;
    private static final long PAUSE_MILLIS = 20;
    private static final int PATIENCE_MILLIS = 2000;

    private final BooleanSupplier more;
    private final LongConsumer done;

    /**
     * @param more returns whether to continue
     * @param done receives numbers of completed exchanges from time to time
     */
    WarmUpClient(BooleanSupplier more, LongConsumer done) {
        this.more = more;
        this.done = done;
    }

    private static byte[] get(String path) {
        return Http1Socket.bytes("GET " + path + " HTTP/1.1\r\n" + FIELDS + "\r\n");
    }

    /** Exchanges over one connection. */
    private interface Task {

        void run(Http1Socket connection) throws IOException;
    }

    private void again(InetSocketAddress gateway, Task task) throws InterruptedException {
        while (more.getAsBoolean()) {
            try (Http1Socket connection = Http1Socket.to(gateway, PATIENCE_MILLIS)) {
                task.run(connection);
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS); // a failing warm-up must not connect in a tight loop
            }
        }
    }

    /** Sends requests to a reverse listener. */
    void site(InetSocketAddress gateway, WarmUpIssuer issuer) throws InterruptedException {
        again(gateway, connection -> {
            while (more.getAsBoolean()) {
                for (byte[] request : PLAIN) {
                    connection.exchange(request);
                }
                connection.skipBody(connection.responseHead()); // the second response of the pipelined requests
                token(connection, issuer);
                done.accept(PLAIN.size() + 2L);
            }
        });
    }

    /** Sends a request without a token, and again with a token for the challenge. */
    private static void token(Http1Socket connection, WarmUpIssuer issuer) throws IOException {
        Http1Head challenge = connection.exchange(get("/token"));
        @Nullable String token = issuer.response(challenge.field("www-authenticate"));
        if (token != null) {
            connection.exchange(
                    Http1Socket.bytes("GET /token HTTP/1.1\r\n" + FIELDS + "Authorization: " + token + "\r\n\r\n"));
        }
    }

    /** Sends requests through a forward listener to the port of loopback: one in absolute-form, and some through a tunnel. */
    void forward(InetSocketAddress gateway, int port) throws InterruptedException {
        String target = "127.0.0.1:" + port;
        byte[] absolute = Http1Socket.bytes("GET http://" + target + "/ HTTP/1.1\r\nHost: " + target + "\r\n\r\n");
        byte[] connect = Http1Socket.bytes("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n");
        again(gateway, connection -> {
            connection.exchange(absolute);
            connection.exchange(connect);
            for (int i = 0; i < TUNNELLED; i++) {
                connection.exchange(PLAIN.get(0));
            }
            done.accept(2);
        });
    }
}
