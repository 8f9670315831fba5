package dev.postern.app.reload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Origin that responds with its name to every request, and counts requests. One thread per connection. */
public final class NamedOrigin implements AutoCloseable {

    private final byte[] response;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final LongAdder requests = new LongAdder();

    public NamedOrigin(String name) {
        response = ("HTTP/1.1 200 OK\r\nContent-Length: " + name.length() + "\r\n\r\n" + name).getBytes(ISO_8859_1);
        try {
            server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        thread(this::accept);
    }

    public String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    public long requests() {
        return requests.sum();
    }

    private static void thread(Runnable task) {
        Thread thread = new Thread(task, "named-origin");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                thread(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                int length = head.toLowerCase(Locale.ROOT).indexOf("\r\ncontent-length: ");
                if (length >= 0) {
                    in.readNBytes(Integer.parseInt(head.substring(length + 18, head.indexOf("\r\n", length + 18))));
                }
                requests.increment();
                socket.getOutputStream().write(response);
                socket.getOutputStream().flush();
            }
        } catch (IOException e) {
            // closed by the gateway
        } finally {
            sockets.remove(socket);
        }
    }

    /** Returns an empty text when the connection has ended. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || head.lastIndexOf("\r\n\r\n") != head.length() - 4) {
            int b = in.read();
            if (b < 0) {
                return "";
            }
            head.append((char) b);
        }
        return head.toString();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
