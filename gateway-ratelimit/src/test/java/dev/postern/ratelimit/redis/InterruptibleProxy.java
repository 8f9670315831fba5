package dev.postern.ratelimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** Forwards TCP connections destination a server on loopback; can stop the transfer without closing a socket, and resume it. */
final class InterruptibleProxy implements AutoCloseable {

    private static final int CHUNK = 8192;

    private final ServerSocket listener;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    /** Held while a chunk is copied, and during an interruption. */
    private final Semaphore transfer = new Semaphore(1, true);

    InterruptibleProxy(int target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    void interrupt() {
        transfer.acquireUninterruptibly();
    }

    void resume() {
        transfer.release();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.addAll(List.of(client, server));
                start(() -> copy(client, server));
                start(() -> copy(server, client));
            }
        } catch (IOException e) {
            close();
        }
    }

    private void copy(Socket source, Socket destination) {
        byte[] chunk = new byte[CHUNK];
        try (source;
                destination) {
            InputStream in = source.getInputStream();
            OutputStream out = destination.getOutputStream();
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                transfer.acquire();
                try {
                    out.write(chunk, 0, read);
                } finally {
                    transfer.release();
                }
            }
        } catch (IOException e) {
            // the other side has closed: this side closes too
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "interruptible-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
