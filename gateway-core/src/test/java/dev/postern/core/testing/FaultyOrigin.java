package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Origin that responds to each path with a body derived from it, and fails at random: it closes unused connections, truncates responses, does
 * not respond, or stops for a while. The failures are the same for the same seed and order of connections.
 */
public final class FaultyOrigin implements AutoCloseable {

    private static final int MAX_IDLE_MILLIS = 20;
    private static final int STALL_MILLIS = 700;

    private final int port;
    private final long seed;
    private final AtomicInteger connections = new AtomicInteger();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> posts = new ConcurrentHashMap<>();
    private volatile Mood mood = Mood.WELL;
    private @Nullable ServerSocket server;
    private @Nullable Thread accepting;

    /** Kinds of failures. */
    public enum Mood {
        WELL,
        /** Closes each idle connection after 1 to 20 ms. */
        CLOSES_UNUSED,
        /** Injects all kinds of failures. */
        BROKEN
    }

    public FaultyOrigin(long seed) {
        this.seed = seed;
        this.port = ServerProcess.freePort();
        start();
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    public void mood(Mood next) {
        mood = next;
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
        try {
            ServerSocket listening = new ServerSocket(port, 200, InetAddress.getLoopbackAddress());
            server = listening;
            accepting = daemon("moody-origin", () -> accept(listening));
        } catch (IOException e) {
            throw new IllegalStateException("cannot listen on " + port, e);
        }
    }

    /** Stops listening and closes all connections. */
    public void kill() {
        ServerSocket listening = server;
        if (listening != null) {
            quietly(listening);
        }
        awaitNoAccept();
        sockets.forEach(FaultyOrigin::reset);
        sockets.clear();
    }

    /** Waits until no thread is inside accept(): such a thread holds the port a little longer, and may accept one more connection. */
    private void awaitNoAccept() {
        Thread thread = accepting;
        try {
            if (thread != null) {
                thread.join(30_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void accept(ServerSocket listening) {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                int number = connections.incrementAndGet();
                daemon("moody-origin-" + number, () -> serve(socket, new SplittableRandom(seed + number)));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket, SplittableRandom lots) {
        try {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (responded(in, socket, lots)) {
                socket.setSoTimeout(mood == Mood.WELL ? 0 : 1 + lots.nextInt(MAX_IDLE_MILLIS));
            }
        } catch (IOException e) {
            // idle for too long, or closed by the gateway
        } finally {
            sockets.remove(socket);
            quietly(socket);
        }
    }

    /** Returns false when the connection must be closed. */
    private boolean responded(InputStream in, Socket socket, SplittableRandom lots) throws IOException {
        String line = line(in);
        if (line.isEmpty()) {
            return false;
        }
        int length = 0;
        for (String field = line(in); !field.isEmpty(); field = line(in)) {
            if (field.startsWith("content-length: ") || field.startsWith("Content-Length: ")) {
                length = Integer.parseInt(field.substring(16));
            }
        }
        in.readNBytes(length);
        String path = line.split(" ")[1];
        if (line.startsWith("POST ")) {
            posts.computeIfAbsent(path, p -> new AtomicInteger()).incrementAndGet();
        }
        int lot = mood == Mood.BROKEN ? lots.nextInt(100) : 100;
        if (lot < 5) {
            return false;
        }
        if (lot < 10) {
            socket.setSoTimeout(STALL_MILLIS);
            in.read(); // until the gateway closes, or the time has passed
            return false;
        }
        String body = body(path);
        byte[] response =
                ("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body).getBytes(ISO_8859_1);
        OutputStream out = socket.getOutputStream();
        if (lot < 20) {
            out.write(response, 0, lots.nextInt(response.length));
            reset(socket);
            return false;
        }
        out.write(response);
        return lot >= 30;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            line.append((char) b);
        }
        return line.toString().trim();
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // closed in either case
        }
    }

    private static void quietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            // closed in either case
        }
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
