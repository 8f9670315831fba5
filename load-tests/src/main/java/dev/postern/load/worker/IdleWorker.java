package dev.postern.load.worker;

import dev.postern.app.socket.Http1Socket;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.load.server.TrustEverybody;
import dev.postern.load.tunnel.TunnelClient;
import dev.postern.load.tunnel.UdpTunnel;
import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Idle worker: opens connections to a proxy that make one request each, or tunnels through it to a destination in this process, and leaves
 * them idle. Arguments: port; {@code h1}, {@code h2} or {@code tls}, or {@code tunnel-tcp}, {@code tunnel-udp} or {@code tunnel-h2}.
 * Questions: {@code churn N} (opens and closes N, one after the other), {@code hold N} (until N are open), {@code check} (that all are
 * still open and idle). The response is the number of open ones.
 */
public final class IdleWorker implements Worker.Task {
    private static final byte[] REQUEST = Http1Socket.get("/", "");
    private static final byte[] PREFACE = Http1Socket.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    /** GET, http, / and localhost, by the static table of HPACK. */
    private static final byte[] GET = Http1Socket.bytes("\u0082\u0086\u0084A\tlocalhost");
    /** Bytes; enough for responses, which are small and come one at a time. */
    private static final int BUFFER = 512;
    /** Source addresses, so that there are enough ports. */
    private static final int ADDRESSES = 20;

    private static final int FIRST_ADDRESS = 10;
    private static final int MAX_WAITING = 4_096;
    private static final int STREAMS = 100;
    private static final int MAX_WAIT_MILLIS = 10_000;

    private final InetAddress here = InetAddress.getLoopbackAddress();
    private final List<Idle> open = new ArrayList<>();
    private final int port;
    private final Opener opener;
    private @Nullable FrameClient last;
    private int streams;
    private int nextStream;

    /** Opens the connection or tunnel of that number. */
    private interface Opener {
        Idle open(int number) throws IOException;
    }

    /** Fails if a connection is no longer open and idle. */
    private interface Check {
        void run() throws IOException;
    }

    private record Idle(Check check, Closeable close) {}

    IdleWorker(String... arguments) throws IOException {
        port = Integer.parseInt(arguments[0]);
        String kind = arguments[1];
        opener = kind.startsWith("tunnel-") ? tunnels(kind) : connections(kind);
    }

    @Override
    public Integer response(String... words) throws IOException {
        switch (words[0]) {
            case "churn" -> {
                for (int i = 0; i < Integer.parseInt(words[1]); i++) {
                    opener.open(i).close.close();
                }
            }
            case "hold" -> {
                while (open.size() < Integer.parseInt(words[1])) {
                    open.add(opener.open(open.size()));
                }
            }
            default -> {
                for (Idle idle : open) {
                    idle.check.run();
                }
            }
        }
        return open.size();
    }

    private Opener connections(String kind) {
        return switch (kind) {
            case "h1" ->
                number -> {
                    Http1Socket connection = Http1Socket.to(port, address(number), BUFFER);
                    ask(connection);
                    return new Idle(() -> ask(connection), connection);
                };
            case "h2" ->
                number -> {
                    Socket socket = connected(number);
                    FrameClient client = greeted(socket);
                    client.frame(FrameClient.HEADERS, FrameClient.END_HEADERS | FrameClient.END_STREAM, 1, GET);
                    check(client.response(1));
                    return new Idle(() -> unread(socket), socket);
                };
            default ->
                number -> {
                    Socket socket = connected(number);
                    askOverTls(socket);
                    return new Idle(() -> unread(socket), socket);
                };
        };
    }

    private static InetAddress address(int number) throws IOException {
        return InetAddress.getByName("127.0.0." + (FIRST_ADDRESS + number % ADDRESSES));
    }

    private Socket connected(int number) throws IOException {
        Socket socket = new Socket(here, port, address(number), 0);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(MAX_WAIT_MILLIS);
        return socket;
    }

    private static void ask(Http1Socket connection) throws IOException {
        int status = connection.exchange(REQUEST).status();
        if (status != 200) {
            throw new IOException("status: " + status + " (expected: 200)");
        }
    }

    private void askOverTls(Socket socket) throws IOException {
        SSLSocket secure =
                (SSLSocket) TrustEverybody.context().getSocketFactory().createSocket(socket, "localhost", port, false);
        secure.getOutputStream().write(REQUEST);
        byte[] response = new byte[BUFFER];
        int n = secure.getInputStream().read(response);
        String status = new String(response, 0, Math.max(0, n), StandardCharsets.ISO_8859_1);
        if (!status.startsWith("HTTP/1.1 200")) {
            throw new IOException("response: " + status.lines().findFirst().orElse("") + " (expected: 200)");
        }
    }

    /** Checks that the socket has received no data: a server announces a close first. */
    private static void unread(Socket socket) throws IOException {
        if (socket.getInputStream().available() > 0) {
            throw new IOException("an idle connection received data (expected: silence)");
        }
    }

    private Opener tunnels(String kind) throws IOException {
        TunnelClient client = new TunnelClient(new InetSocketAddress(here, port), null);
        if (kind.equals("tunnel-udp")) {
            DatagramSocket destination = new DatagramSocket(new InetSocketAddress(here, 0));
            return number -> {
                UdpTunnel tunnel = client.udp("127.0.0.1", destination.getLocalPort());
                return new Idle(() -> silent(tunnel), tunnel);
            };
        }
        ServerSocket destination = new ServerSocket(0, MAX_WAITING, here);
        int target = destination.getLocalPort();
        if (kind.equals("tunnel-h2")) {
            byte[] request = FieldBlock.of(":method", "CONNECT", ":authority", "127.0.0.1:" + target);
            return number -> {
                Closeable stream = stream(request);
                return tunnel(() -> {}, stream, destination.accept());
            };
        }
        return number -> {
            Socket tunnel = client.tcp("127.0.0.1", target);
            return tunnel(() -> silent(tunnel), tunnel, destination.accept());
        };
    }

    /** Returns a tunnel with its end at the client and at the destination. */
    private static Idle tunnel(Check check, Closeable client, Socket destination) {
        return new Idle(
                () -> {
                    check.run();
                    silent(destination);
                },
                () -> {
                    destination.close();
                    client.close();
                });
    }

    /** Opens a tunnel as a stream of the last HTTP/2 connection, or of a new one if that has {@value #STREAMS} open ones. */
    private Closeable stream(byte[] request) throws IOException {
        FrameClient client = last;
        if (client == null || streams == STREAMS) {
            client = greeted(new Socket(here, port));
            last = client;
            streams = 0;
            nextStream = 1;
        }
        FrameClient opened = client;
        int stream = nextStream;
        nextStream += 2;
        streams++;
        opened.frame(FrameClient.HEADERS, FrameClient.END_HEADERS, stream, request);
        opened.await(FrameClient.HEADERS);
        check(opened.soFar(stream));
        return () -> {
            streams -= opened == last ? 1 : 0;
            opened.data(stream, true, "");
        };
    }

    /** Sends preface and settings, which are the defaults. */
    private static FrameClient greeted(Socket socket) {
        return FrameClient.over(socket).bytes(PREFACE).frame(FrameClient.SETTINGS, 0, 0, new byte[0]);
    }

    private static void check(FrameClient.Response response) throws IOException {
        if (!response.status().equals("200")) {
            throw new IOException("status: " + response.status() + " (expected: 200)");
        }
    }

    private static void silent(Socket socket) throws IOException {
        socket.setSoTimeout(1);
        try {
            int octet = socket.getInputStream().read();
            throw new IOException("an idle tunnel received " + octet + " (expected: silence)");
        } catch (SocketTimeoutException e) {
            return; // still open
        }
    }

    private static void silent(UdpTunnel tunnel) throws IOException {
        tunnel.timeout(1);
        try {
            throw new IOException("an idle tunnel received " + tunnel.receive().length + " bytes (expected: silence)");
        } catch (SocketTimeoutException e) {
            return; // still open
        }
    }
}
