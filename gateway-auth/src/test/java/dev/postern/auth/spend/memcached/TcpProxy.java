package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** Proxy between a ledger and a real server that records the bytes of each read, and can close all connections. */
final class TcpProxy implements AutoCloseable {

    private final ServerProcess server;
    private final ServerSocket listening;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final Queue<String> reads = new ConcurrentLinkedQueue<>();

    TcpProxy(ServerProcess server) {
        this.server = server;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** Returns the bytes from the ledger, one entry per read. */
    List<String> reads() {
        return List.copyOf(reads);
    }

    /** Closes all connections; new ones are accepted. */
    void cut() {
        for (Socket socket : open) {
            closeQuietly(socket);
        }
        open.clear();
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server.port());
                upstream.setTcpNoDelay(true);
                client.setTcpNoDelay(true);
                open.add(client);
                open.add(upstream);
                start(() -> pump(client, upstream, true));
                start(() -> pump(upstream, client, false));
            } catch (IOException e) {
                // Closed, or the server is unavailable: the client's connection is closed.
                cut();
            }
        }
    }

    private void pump(Socket from, Socket target, boolean record) {
        byte[] buffer = new byte[64 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = target.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (record) {
                    reads.add(new String(buffer, 0, n, ISO_8859_1));
                }
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            // One side is closed; so is the other.
        } finally {
            closeQuietly(from);
            closeQuietly(target);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
