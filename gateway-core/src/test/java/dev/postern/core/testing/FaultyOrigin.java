package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Origin that responds to each path with a body derived from it, and fails at random: it closes unused connections, truncates responses, does
 * not respond, or stops for a while. The failures are the same for the same seed and order of connections.
 */
public final class FaultyOrigin implements AutoCloseable {

    private static final int MAX_IDLE_MILLIS = 20;
    private static final int STALL_MILLIS = 700;

    private final int port = ServerProcess.freePort();
    private final long seed;
    private final AtomicInteger connections = new AtomicInteger();
    private final Map<Socket, SplittableRandom> lots = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> posts = new ConcurrentHashMap<>();
    private volatile Mode mode = Mode.WELL;
    private TestOrigin origin;

    /** Mode: which failures the origin has. */
    public enum Mode {
        WELL,
        /** Closes each idle connection after 1 to 20 ms. */
        CLOSES_UNUSED,
        /** Has all kinds of failures. */
        BROKEN
    }

    public FaultyOrigin(long seed) {
        this.seed = seed;
        this.origin = listen();
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    public void mode(Mode next) {
        mode = next;
    }

    /** Returns the response body of that path. */
    public static String body(String path) {
        return path.repeat(path.startsWith("/large") ? 5_000 : 1);
    }

    /** Returns how often each path was received completely by POST. */
    public Map<String, AtomicInteger> posts() {
        return posts;
    }

    /** Listens again after {@link #kill}. */
    public void start() {
        origin = listen();
    }

    private TestOrigin listen() {
        TestOrigin listening = new TestOrigin("127.0.0.1", port);
        listening.behave((request, socket) -> {
            listening.received().clear();
            respond(request, socket);
        });
        return listening;
    }

    /** Stops listening and closes all connections. */
    public void kill() {
        lots.keySet().forEach(FaultyOrigin::reset);
        origin.close();
        lots.clear();
    }

    @Override
    public void close() {
        kill();
    }

    private void respond(TestOrigin.Received request, Socket socket) throws IOException {
        SplittableRandom random =
                lots.computeIfAbsent(socket, s -> new SplittableRandom(seed + connections.incrementAndGet()));
        String[] line = request.line().split(" ");
        if (line[0].equals("POST")) {
            posts.computeIfAbsent(line[1], p -> new AtomicInteger()).incrementAndGet();
        }
        int lot = mode == Mode.BROKEN ? random.nextInt(100) : 100;
        if (lot >= 10) {
            write(body(line[1]), lot, socket, random);
        } else if (lot >= 5) {
            socket.setSoTimeout(STALL_MILLIS);
            socket.getInputStream().read(); // until the gateway closes, or the time has passed
        }
        if (lot < 30) {
            socket.close();
            lots.remove(socket);
        } else {
            socket.setSoTimeout(mode == Mode.WELL ? 0 : 1 + random.nextInt(MAX_IDLE_MILLIS));
        }
    }

    private static void write(String body, int lot, Socket socket, SplittableRandom random) throws IOException {
        String head = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n";
        byte[] response = (head + body).getBytes(ISO_8859_1);
        OutputStream out = socket.getOutputStream();
        if (lot < 20) {
            out.write(response, 0, random.nextInt(response.length));
            reset(socket);
        } else {
            out.write(response);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // closed in either case
        }
    }
}
