package dev.postern.load.worker;

import dev.postern.app.socket.Http1Socket;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Redeem worker: sends requests to the gateway as clients of a network of their own. Arguments: port, token file. A
 * question is {@code token RATE CALLS}, each call redeeming a token of its own, or {@code open RATE CALLS} on the path
 * that needs none.
 */
public final class RedeemWorker implements Worker.Task {
    private static final int CONNECTIONS = 32;
    private static final int BUFFER = 16_384;
    /** Half of the time after which the gateway closes a connection without requests. */
    private static final long MAX_IDLE_NANOS = 30_000_000_000L;
    /** Differs from the network of wrk's connections. */
    private static final String ADDRESS = "127.0.9.1";

    private static final byte[] OPEN = Http1Socket.get("/open", "");

    private final List<Http1Socket> connections = new ArrayList<>();
    private final int port;
    private final List<String> tokens;
    private final AtomicInteger nextToken = new AtomicInteger();
    private long lastUse = System.nanoTime();

    RedeemWorker(String... arguments) throws IOException {
        port = Integer.parseInt(arguments[0]);
        tokens = Files.readAllLines(Path.of(arguments[1]));
    }

    @Override
    public Latencies response(String... words) throws IOException {
        connect();
        boolean withToken = words[0].equals("token");
        List<OpenLoad.Caller> callers = connections.stream()
                .map(connection -> (OpenLoad.Caller)
                        () -> connection.exchange(withToken ? redeem() : OPEN).status() == 200)
                .toList();
        Latencies latencies = OpenLoad.of(words[1], words[2]).run(callers);
        lastUse = System.nanoTime();
        return latencies;
    }

    /** Opens the connections at the first question, and new ones after a pause: the gateway closes idle connections. */
    private void connect() throws IOException {
        if (System.nanoTime() - lastUse > MAX_IDLE_NANOS) {
            for (Http1Socket connection : connections) {
                connection.close();
            }
            connections.clear();
        }
        while (connections.size() < CONNECTIONS) {
            connections.add(Http1Socket.to(port, InetAddress.getByName(ADDRESS), BUFFER));
        }
    }

    private byte[] redeem() {
        int number = nextToken.getAndIncrement();
        if (number >= tokens.size()) {
            throw new IllegalStateException("tokens: all " + tokens.size() + " used (expected: one for each call)");
        }
        return Http1Socket.get("/", "Authorization: PrivateToken token=\"" + tokens.get(number) + "\"\r\n");
    }
}
