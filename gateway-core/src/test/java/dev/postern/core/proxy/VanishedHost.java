package dev.postern.core.proxy;

import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.RawClient;
import dev.postern.core.transport.TcpKeepAlive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Program in a network namespace of its own, with a gateway between hosts that vanish: their addresses are taken away, so that no segment
 * arrives any more, and none tells. Prints what the gateway noticed, one line for each host.
 */
final class VanishedHost {

    private static final String UPSTREAM = "10.9.9.8";
    private static final String KEPT = "10.9.9.7";
    private static final String CLIENT = "10.9.9.9";
    private static final TcpKeepAlive BRIEF = new TcpKeepAlive(1, 1, 2);
    private static final Duration LONG = Duration.ofMinutes(10);

    private VanishedHost() {}

    public static void main(String[] args) throws Exception {
        System.out.println("upstream " + upstream());
        System.out.println("client " + client());
        System.out.println("kept " + kept());
    }

    /** Vanishes when it has acknowledged a request; returns the status of the response. */
    private static int upstream() throws Exception {
        try (ServerSocket origin = new ServerSocket(0, 10, InetAddress.getByName(UPSTREAM));
                CoreGateway gateway = new CoreGateway(Setup.of(UPSTREAM + ":" + origin.getLocalPort())
                        .keepAlive(BRIEF)
                        .firstByte(LONG)
                        .idle(LONG));
                RawClient client = new RawClient(gateway.port())) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
            try (Socket accepted = origin.accept()) {
                readHead(accepted);
                take(UPSTREAM);
                return client.read().status();
            }
        }
    }

    /** Vanishes before a request on a kept connection, which is never acknowledged; returns the status of the response. */
    private static int kept() throws Exception {
        try (ServerSocket origin = new ServerSocket(0, 10, InetAddress.getByName(KEPT));
                CoreGateway gateway = new CoreGateway(Setup.of(KEPT + ":" + origin.getLocalPort())
                        .keepAlive(BRIEF)
                        .firstByte(LONG)
                        .idle(LONG));
                RawClient client = new RawClient(gateway.port())) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            try (Socket accepted = origin.accept()) {
                readHead(accepted);
                accepted.getOutputStream().write("HTTP/1.1 204 No\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
                client.read();
                take(KEPT);
                client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx");
                return client.read().status();
            }
        }
    }

    /** Vanishes while its tunnel is silent; returns 0 when the gateway has closed both connections. */
    private static int client() throws Exception {
        try (ServerSocket origin = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                CoreGateway gateway = new CoreGateway(
                        Setup.of("127.0.0.1:" + origin.getLocalPort()).keepAlive(BRIEF));
                Socket client = new Socket()) {
            client.bind(new InetSocketAddress(CLIENT, 0));
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.forwardPort()));
            String destination = "127.0.0.1:" + origin.getLocalPort();
            OutputStream out = client.getOutputStream();
            out.write(("CONNECT " + destination + " HTTP/1.1\r\nHost: " + destination + "\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            readHead(client);
            try (Socket tunnelled = origin.accept()) {
                take(CLIENT);
                // The gateway closes the other side of the tunnel, too.
                tunnelled.setSoTimeout(30_000);
                int read = tunnelled.getInputStream().read();
                await().until(() -> gateway.server().connections() == 0);
                return read < 0 ? 0 : read;
            }
        }
    }

    private static void readHead(Socket socket) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            // a field
        }
    }

    private static void take(String address) throws Exception {
        Process process = new ProcessBuilder("ip", "address", "delete", address + "/32", "dev", "lo")
                .inheritIO()
                .start();
        if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException("ip address delete failed");
        }
    }
}
