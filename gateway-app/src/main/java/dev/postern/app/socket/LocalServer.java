package dev.postern.app.socket;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Server in this process: holds a conversation with each client on a thread of its own. Thread-safe. */
public final class LocalServer implements Closeable {

    private static final int BACKLOG = 200;
    private static final int BUFFER = 8 * 1024;

    private final ServerSocket server;
    private final String thread;
    private final Conversation conversation;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private LocalServer(ServerSocket server, String thread, Conversation conversation) {
        this.server = server;
        this.thread = thread;
        this.conversation = conversation;
    }

    /** Conversation with one client. Its end closes the connection; an exception is an end, too. */
    public interface Conversation {

        void hold(Socket client) throws IOException;
    }

    /** Site: responds to each request, whose body is skipped. */
    public interface Site {

        Response response(Http1Head request);
    }

    /**
     * Response as it is sent.
     *
     * @param headLength bytes of the head, which alone is the response to HEAD
     */
    public record Response(byte[] bytes, int headLength) {

        /** @param fields besides Content-Length, each with its line end */
        public static Response ok(String fields, byte[] body) {
            byte[] head =
                    Http1Socket.bytes("HTTP/1.1 200 OK\r\n" + fields + "Content-Length: " + body.length + "\r\n\r\n");
            byte[] all = Arrays.copyOf(head, head.length + body.length);
            System.arraycopy(body, 0, all, head.length, body.length);
            return new Response(all, head.length);
        }
    }

    /**
     * Starts a server.
     *
     * @param thread name of its threads, all of them daemons
     */
    public static LocalServer start(InetSocketAddress address, String thread, Conversation conversation)
            throws IOException {
        ServerSocket socket = new ServerSocket(address.getPort(), BACKLOG, address.getAddress());
        LocalServer server = new LocalServer(socket, thread, conversation);
        server.daemon(server::accept);
        return server;
    }

    /** Starts a server on a free port of loopback. */
    public static LocalServer start(String thread, Conversation conversation) throws IOException {
        return start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), thread, conversation);
    }

    /** Returns the conversation of a site: HTTP/1.1 with kept-alive connections. */
    public static Conversation of(Site site) {
        return client -> {
            Http1Socket connection = new Http1Socket(client, BUFFER);
            for (Http1Head request = connection.head(); request != null; request = connection.head()) {
                connection.skipBody(request);
                Response response = site.response(request);
                connection.send(
                        request.text().startsWith("HEAD ")
                                ? Arrays.copyOf(response.bytes, response.headLength)
                                : response.bytes);
                if (request.last()) {
                    return;
                }
            }
        };
    }

    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                daemon(() -> serve(client));
            } catch (IOException e) {
                return; // the server is closed
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            conversation.hold(client);
        } catch (IOException e) {
            // The client has closed the connection.
        } finally {
            sockets.remove(client);
        }
    }

    private void daemon(Runnable task) {
        Thread daemon = new Thread(task, thread);
        daemon.setDaemon(true);
        daemon.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket client : sockets) {
            client.close();
        }
    }
}
