package dev.postern.load.dribble;

import dev.postern.load.server.Certificate;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509TrustManager;

/** Gateway of a dribble benchmark, on the measured core, and its upstreams in this process. Thread-safe. */
final class DribbleSite implements AutoCloseable {
    private static final String YAML = """
            transport: {event-loops: 1}
            listeners:
              - {name: web, address: "127.0.0.1:%1$d", mode: reverse}
              - {name: tls, address: "127.0.0.1:%2$d", mode: reverse, %7$s}
              - {name: out, address: "127.0.0.1:%3$d", mode: forward, forward: all}
            admin: {address: "127.0.0.1:%4$d"}
            lifecycle: {drain-delay: 0s}
            log: {level: warn, successes: 0%%}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%5$d"], health: {failures: 0}, retry: {budget: 0%%}}
              - {name: app2, endpoints: ["127.0.0.1:%6$d"], protocol: h2, health: {failures: 0}, retry: {budget: 0%%}}
            routes:
              - {host: "*", path: /app, upstream: app, token: off, upgrade: {protocols: [tcp]}}
              - {host: "*", path: /app2, upstream: app2, token: off}
            """;

    private static final int SEND_BUFFER = 64 * 1024;

    private final int port = Ports.free();
    private final int tlsPort = Ports.free();
    private final int forwardPort = Ports.free();
    private final int adminPort = Ports.free();
    private final ServerSocket origin = listen();
    private final ServerSocket origin2 = listen();
    private final ServerSocket destination = listen();
    private final SSLContext trusting = trusting();
    private final ServerProcess gateway;
    private volatile Responses.Response response = Responses.http1("", new byte[1]);
    private volatile Pace pace = new Pace(0);

    DribbleSite(RunFolder folder) {
        start(() -> accept(origin, this::serve));
        start(() -> accept(origin2, this::serve2));
        start(() -> accept(destination, this::tunnel));
        String yaml = YAML.formatted(
                        port,
                        tlsPort,
                        forwardPort,
                        adminPort,
                        origin.getLocalPort(),
                        origin2.getLocalPort(),
                        Certificate.in(folder).yaml())
                + Postern.FORWARD_ALL;
        gateway = Postern.gateway(folder, "postern", Cores.MEASURED, yaml, adminPort);
    }

    private static ServerSocket listen() {
        try {
            return new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static SSLContext trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new X509TrustManager[] {new TrustAll()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sender that may fail when its turn ends. */
    interface Conversation {
        void hold(Socket socket) throws IOException;
    }

    Thread start(Runnable work) {
        Thread thread = new Thread(work, "dribble");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void accept(ServerSocket server, Conversation conversation) {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                socket.setSendBufferSize(SEND_BUFFER);
                start(() -> {
                    try (socket) {
                        conversation.hold(socket);
                    } catch (IOException e) {
                        // the turn has ended
                    }
                });
            }
        } catch (IOException e) {
            // closed
        }
    }

    /** Serves HTTP/1.1: discards bodies and upgraded bytes, responds 200, or sends the response of the turn. */
    private void serve(Socket socket) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        while (true) {
            String head = Senders.head(in);
            if (head.startsWith("GET /app/ok ")) {
                socket.getOutputStream().write(Wire.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
            } else if (head.startsWith("GET /app/response ")) {
                socket.getOutputStream().write(Wire.text(response.head()));
                Senders.repeat(socket.getOutputStream(), response.block(1), pace);
                return;
            } else {
                if (head.startsWith("GET /app/upgrade ")) {
                    socket.getOutputStream()
                            .write(Wire.text(
                                    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n"));
                }
                Senders.discardAll(in);
                return;
            }
        }
    }

    /** Serves HTTP/2: sends the response of the turn to each request, and discards bodies. */
    private void serve2(Socket socket) throws IOException {
        Http2Line line = Http2Line.ofServer(new DataInputStream(socket.getInputStream()), socket.getOutputStream());
        line.read(stream -> {
            Responses.Response current = response;
            if (current.head().isEmpty()) {
                start(() -> Senders.respond(line, stream, current, pace));
            }
        });
    }

    /** Discards the bytes of a tunnel; sends the block of the turn when the first byte asks for it. */
    private void tunnel(Socket socket) throws IOException {
        int first = socket.getInputStream().read();
        Thread reader = Senders.discard(socket.getInputStream());
        if (first == 's') {
            Senders.repeat(socket.getOutputStream(), response.block(1), pace);
            return;
        }
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sets the response of the upstreams for this turn. */
    void respond(Responses.Response next, Pace its) {
        response = next;
        pace = its;
    }

    Socket connect(int to) throws IOException {
        Socket socket = new Socket();
        socket.setSendBufferSize(SEND_BUFFER); // what the kernel holds was not read by the gateway
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to));
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        return socket;
    }

    Socket tls(Socket over) throws IOException {
        SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket(over, "localhost", tlsPort, true);
        socket.startHandshake();
        return socket;
    }

    ServerProcess gateway() {
        return gateway;
    }

    int port() {
        return port;
    }

    int tlsPort() {
        return tlsPort;
    }

    int forwardPort() {
        return forwardPort;
    }

    int adminPort() {
        return adminPort;
    }

    String destination() {
        return "127.0.0.1:" + destination.getLocalPort();
    }

    @Override
    public void close() {
        gateway.close();
        for (ServerSocket server : new ServerSocket[] {origin, origin2, destination}) {
            try {
                server.close();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    /** Trusts the certificate that the run has just created. */
    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {
            // no client certificates are requested
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {
            // the server is a child process of the run
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
