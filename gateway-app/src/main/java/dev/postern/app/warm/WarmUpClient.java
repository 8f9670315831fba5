package dev.postern.app.warm;

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
            WarmUpConnection.bytes(
                    "POST /form HTTP/1.1\r\n" + FIELDS + "Content-Length: 256\r\n\r\n" + "f".repeat(256)),
            get("/"),
            get("/large"),
            WarmUpConnection.bytes("GET /one HTTP/1.1\r\n" + FIELDS + "\r\nGET /two HTTP/1.1\r\n" + FIELDS + "\r\n"));
    private static final int TUNNELLED = 8;
    private static final long PAUSE_MILLIS = 20;

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
        return WarmUpConnection.bytes("GET " + path + " HTTP/1.1\r\n" + FIELDS + "\r\n");
    }

    /** Exchanges over one connection. */
    private interface Task {

        void run(WarmUpConnection connection) throws IOException;
    }

    private void again(InetSocketAddress gateway, Task task) throws InterruptedException {
        while (more.getAsBoolean()) {
            try (WarmUpConnection connection = WarmUpConnection.to(gateway)) {
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
                    connection.send(request);
                    response(connection);
                }
                response(connection); // the second response of the pipelined requests
                token(connection, issuer);
                done.accept(PLAIN.size() + 2L);
            }
        });
    }

    /** Sends a request without a token, and again with a token for the challenge. */
    private static void token(WarmUpConnection connection, WarmUpIssuer issuer) throws IOException {
        connection.send(get("/token"));
        @Nullable String token = issuer.response(WarmUpConnection.value(response(connection), "www-authenticate"));
        if (token != null) {
            connection.send(WarmUpConnection.bytes(
                    "GET /token HTTP/1.1\r\n" + FIELDS + "Authorization: " + token + "\r\n\r\n"));
            response(connection);
        }
    }

    private static String response(WarmUpConnection connection) throws IOException {
        String head = connection.head();
        if (head == null) {
            throw new IOException("closed (expected: a response)");
        }
        connection.skipBody(head);
        return head;
    }

    /** Sends requests through a forward listener to the port of loopback: one in absolute-form, and some through a tunnel. */
    void forward(InetSocketAddress gateway, int port) throws InterruptedException {
        String target = "127.0.0.1:" + port;
        byte[] absolute = WarmUpConnection.bytes("GET http://" + target + "/ HTTP/1.1\r\nHost: " + target + "\r\n\r\n");
        byte[] connect = WarmUpConnection.bytes("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n");
        again(gateway, connection -> {
            connection.send(absolute);
            response(connection);
            connection.send(connect);
            response(connection);
            for (int i = 0; i < TUNNELLED; i++) {
                connection.send(PLAIN.get(0));
                response(connection);
            }
            done.accept(2);
        });
    }
}
