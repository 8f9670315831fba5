package dev.postern.load.dribble;

import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.LocalServer;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.server.Certificate;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.server.TrustEverybody;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Gateway of a dribble benchmark, on the measured core, and its upstreams in this process. Thread-safe. */
final class DribbleSite {
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
    private static final int BUFFER = 8 * 1024;

    private final int port = Ports.free();
    private final int tlsPort = Ports.free();
    private final int forwardPort = Ports.free();
    private final int adminPort = Ports.free();
    private final RunFolder folder;
    private final LocalServer destination;
    private final SSLContext trusting = TrustEverybody.context();
    private final ServerProcess gateway;
    private volatile Responses.Response response = Responses.http1("", new byte[1]);
    private volatile Pace pace = new Pace(0);

    DribbleSite(RunFolder folder) {
        this.folder = folder;
        destination = listen(this::tunnel);
        String yaml = YAML.formatted(
                        port,
                        tlsPort,
                        forwardPort,
                        adminPort,
                        listen(this::serve).port(),
                        listen(this::serve2).port(),
                        Certificate.in(folder).yaml())
                + Postern.FORWARD_ALL;
        gateway = Postern.gateway(folder, "postern", Cores.MEASURED, yaml, adminPort);
    }

    private LocalServer listen(LocalServer.Conversation conversation) {
        return folder.add(Unchecked.get(() -> LocalServer.start("dribble", socket -> {
            socket.setTcpNoDelay(true);
            socket.setSendBufferSize(SEND_BUFFER);
            conversation.hold(socket);
        })));
    }

    Thread start(Runnable work) {
        Thread thread = new Thread(work, "dribble");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Serves HTTP/1.1: discards bodies and upgraded bytes, responds 200, or sends the response of the turn. */
    private void serve(Socket socket) throws IOException {
        Http1Socket connection = new Http1Socket(socket, BUFFER);
        for (Http1Head request = connection.head(); request != null; request = connection.head()) {
            String target = request.word(1);
            if (target.equals("/app/ok")) {
                connection.send(Wire.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
            } else if (target.equals("/app/response")) {
                connection.send(response.begin());
                Senders.repeat(socket.getOutputStream(), response.block(1), pace);
                return;
            } else {
                if (target.equals("/app/upgrade")) {
                    connection.send(Wire.text(
                            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n"));
                }
                Senders.discardAll(connection.input());
                return;
            }
        }
    }

    /** Serves HTTP/2: sends the response of the turn to each request, or 200 to a whole one, and discards bodies. */
    private void serve2(Socket socket) throws IOException {
        Http2Line line = Http2Line.ofServer(new DataInputStream(socket.getInputStream()), socket.getOutputStream());
        line.read((stream, flags) -> {
            Responses.Response current = response;
            if (current.http2()) {
                start(() -> Senders.respond(line, stream, current, pace));
            } else if ((flags & Wire.END_STREAM) != 0) {
                line.write(Wire.frame(Wire.HEADERS, Wire.END_HEADERS | Wire.END_STREAM, stream, Wire.ok()));
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
        return "127.0.0.1:" + destination.port();
    }
}
