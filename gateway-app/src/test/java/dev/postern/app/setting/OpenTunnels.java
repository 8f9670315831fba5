package dev.postern.app.setting;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.TokenMint;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LoopbackPort;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.UdpTunnelClient;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Tunnels of every kind through one forward listener, to a TCP and a UDP service that return what they get. For one thread. */
public final class OpenTunnels implements AutoCloseable {

    /** Of one HTTP/2 connection, whose streams are limited. */
    public static final int PAIRS = 50;

    private static final TokenMint MINT = TokenMint.shared();

    private final LoopbackPort services = LoopbackPort.open();
    private final Deque<Runnable> resources = new ArrayDeque<>();
    private final List<Tunnel> tunnels = new ArrayList<>();

    /** Open tunnel. */
    private interface Tunnel {

        /** Sends a text and checks that it comes back. */
        void exchange(String text);
    }

    public OpenTunnels() throws IOException {
        start(() -> {
            while (true) {
                Socket socket = services.tcp().accept();
                start(() -> {
                    try (socket) {
                        socket.getInputStream().transferTo(socket.getOutputStream());
                    }
                });
            }
        });
        start(() -> {
            DatagramPacket packet = new DatagramPacket(new byte[2_048], 2_048);
            while (true) {
                services.udp().receive(packet);
                services.udp().send(packet);
            }
        });
    }

    private interface Service {

        void run() throws IOException;
    }

    private static void start(Service service) {
        Thread thread = new Thread(() -> {
            try {
                service.run();
            } catch (IOException e) {
                // closed at the end of the test
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    String destination() {
        return "127.0.0.1:" + services.number();
    }

    private String path() {
        return "/.well-known/masque/udp/127.0.0.1/" + services.number() + "/";
    }

    /** Returns a CONNECT request with the credential, or none if that is empty. */
    public String connect(String credential) {
        String field = credential.isEmpty() ? "" : "Proxy-Authorization: " + credential + "\r\n";
        return "CONNECT " + destination() + " HTTP/1.1\r\nHost: " + destination() + "\r\n" + field + "\r\n";
    }

    /** Opens that many tunnels of each of the four kinds, each with its own token for the challenge. */
    public void open(int port, int each, String challenge) {
        open(port, port, each, challenge);
    }

    /** Opens that many tunnels of each kind, those over HTTP/2 at a port of their own. */
    void open(int port, int port2, int each, String challenge) {
        for (int i = 0; i < each; i++) {
            openConnections(port, challenge);
        }
        for (int opened = 0; opened < each; opened += PAIRS) {
            openStreams(port2, Math.min(PAIRS, each - opened), challenge);
        }
    }

    private void openConnections(int port, String challenge) {
        RawClient client = new RawClient(port);
        resources.push(client::close);
        assertThat(client.send(connect(MINT.response(challenge))).readConnect().status())
                .isEqualTo(200);
        tunnels.add(text -> {
            client.send(text);
            assertThat(client.readBytes(text.length())).isEqualTo(text);
        });

        UdpTunnelClient datagrams =
                UdpTunnelClient.ask(port, path(), "Proxy-Authorization: " + MINT.response(challenge) + "\r\n");
        resources.push(datagrams::close);
        assertThat(datagrams.status()).isEqualTo(101);
        tunnels.add(text -> {
            datagrams.send(text);
            assertThat(datagrams.receiveText()).isEqualTo(text);
        });
    }

    private void openStreams(int port, int each, String challenge) {
        FrameClient streams = FrameClient.connect(port);
        resources.push(streams::close);
        for (int i = 0; i < each; i++) {
            int bytes = 4 * i + 1;
            streams.headers(
                    bytes,
                    false,
                    ":method",
                    "CONNECT",
                    ":authority",
                    destination(),
                    "proxy-authorization",
                    MINT.response(challenge));
            tunnels.add(opened(streams, bytes)::bytes);

            int datagrams = bytes + 2;
            streams.headers(
                    datagrams,
                    false,
                    UdpTunnelClient.extendedConnect(path(), "proxy-authorization", MINT.response(challenge)));
            tunnels.add(opened(streams, datagrams)::datagram);
        }
    }

    private static Stream opened(FrameClient client, int id) {
        while (client.soFar(id).status().isEmpty()) {
            assertThat(client.next()).as("response on stream " + id).isNotNull();
        }
        assertThat(client.soFar(id).status()).isEqualTo("200");
        return new Stream(client, id);
    }

    /** Stream of a connection that is a tunnel. */
    private record Stream(FrameClient client, int id) {

        void bytes(String text) {
            echoed(text);
        }

        void datagram(String text) {
            echoed(new String(UdpTunnelClient.capsule(text.getBytes(ISO_8859_1)), ISO_8859_1));
        }

        private void echoed(String bytes) {
            int before = client.soFar(id).length();
            client.data(id, false, bytes);
            while (client.soFar(id).length() < before + bytes.length()) {
                assertThat(client.next()).as("data on stream " + id).isNotNull();
                assertThat(client.soFar(id).ended()).as("end of stream " + id).isFalse();
                assertThat(client.soFar(id).reset()).as("reset of stream " + id).isEmpty();
            }
            assertThat(client.soFar(id).body().substring(before)).isEqualTo(bytes);
        }
    }

    /** Exchanges a text through every tunnel. */
    public void exchange(String text) {
        tunnels.forEach(tunnel -> tunnel.exchange(text));
    }

    /** Ends the tunnels; the services go on. */
    public void end() {
        while (!resources.isEmpty()) {
            resources.pop().run();
        }
        tunnels.clear();
    }

    @Override
    public void close() throws IOException {
        end();
        services.close();
    }
}
