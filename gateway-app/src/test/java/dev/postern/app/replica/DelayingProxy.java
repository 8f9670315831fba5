package dev.postern.app.replica;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Proxy that delays the responses of a server, in order and without loss. */
final class DelayingProxy implements AutoCloseable {

    private final int server;
    private final long nanos;
    private final ServerSocket listening;

    private record Piece(byte[] bytes, long due) {}

    DelayingProxy(int server, Duration delay) {
        this.server = server;
        this.nanos = delay.toNanos();
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

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket target = new Socket(InetAddress.getLoopbackAddress(), server);
            client.setTcpNoDelay(true);
            target.setTcpNoDelay(true);
            BlockingQueue<Piece> underWay = new LinkedBlockingQueue<>();
            start(() -> client.getInputStream().transferTo(target.getOutputStream()));
            start(() -> depart(target, underWay));
            start(() -> arrive(underWay, client));
        }
    }

    private void depart(Socket from, BlockingQueue<Piece> underWay) throws IOException {
        byte[] buffer = new byte[65_536];
        for (int read = from.getInputStream().read(buffer);
                read >= 0;
                read = from.getInputStream().read(buffer)) {
            underWay.add(new Piece(Arrays.copyOf(buffer, read), System.nanoTime() + nanos));
        }
    }

    private static void arrive(BlockingQueue<Piece> underWay, Socket target) throws IOException, InterruptedException {
        while (true) {
            Piece piece = underWay.take();
            TimeUnit.NANOSECONDS.sleep(piece.due - System.nanoTime());
            target.getOutputStream().write(piece.bytes);
        }
    }

    /** Runs until a socket is closed. */
    @FunctionalInterface
    private interface Work {

        void run() throws IOException, InterruptedException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException | InterruptedException e) {
                Thread.currentThread().interrupt(); // the test has ended
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
