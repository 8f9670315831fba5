package dev.postern.load.worker;

import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.Http1Socket.Response;
import dev.postern.load.tunnel.TunnelClient;
import dev.postern.load.tunnel.UdpTunnel;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Flow of numbered messages over one tunnel or connection, whose far end sends each of them back. Not thread-safe. */
abstract class Flow implements OpenLoad.Caller, Closeable {
    /** Bytes of a message over TCP. */
    static final int MESSAGE = 200;
    /** Bytes of a datagram. */
    static final int DATAGRAM = 1_200;
    /** Milliseconds after which a message is missing. */
    private static final int MAX_WAIT = 5_000;
    /** Number of a message that is not one of this flow. */
    private static final int ALTERED = Integer.MAX_VALUE;

    private final Sequence sequence = new Sequence();

    /** Opens flows to one address. */
    interface Opener {
        Flow open() throws IOException;
    }

    /**
     * Returns the opener of a kind through the gateway.
     *
     * @param kind {@code tcp}, {@code udp} or {@code http}
     */
    static Opener throughGateway(String kind, int port, int destination) {
        TunnelClient client = new TunnelClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), null);
        return switch (kind) {
            case "tcp" -> () -> new Bytes(client.tcp("127.0.0.1", destination));
            case "udp" -> () -> new Datagrams(client.udp("127.0.0.1", destination));
            default -> () -> new Requests(port);
        };
    }

    /** Returns the opener of a kind through another proxy; through a relay of bytes the client opens no tunnel. */
    static Opener throughPeer(String kind, int port) {
        return switch (kind) {
            case "tcp" -> () -> new Bytes(connected(port));
            case "udp" -> () -> new Datagrams(new UdpTunnel(connected(port)));
            default -> () -> new Requests(port);
        };
    }

    private static Socket connected(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** Sends messages at once and waits for all of them; a message that does not come is missing in the sequence. */
    final void exchange(int messages) throws IOException {
        int[] numbers = new int[messages];
        Arrays.setAll(numbers, i -> sequence.next());
        send(numbers);
        try {
            for (int i = 0; i < messages; i++) {
                sequence.arrived(receive());
            }
        } catch (SocketTimeoutException e) {
            return; // The sequence has fewer arrived messages than sent ones.
        }
    }

    /** Makes one round trip; false if another message came back, or none. */
    @Override
    public final boolean call() throws IOException {
        int bad = sequence.outOfOrder() + sequence.missing();
        exchange(1);
        return sequence.outOfOrder() + sequence.missing() == bad;
    }

    final Sequence sequence() {
        return sequence;
    }

    /** Sends the messages of these numbers without waiting. */
    abstract void send(int[] numbers) throws IOException;

    /** Returns the number of the next message. */
    abstract int receive() throws IOException;

    /** Fills a message from its number, so that a change of any of its bytes shows. */
    private static byte[] message(int number, int length) {
        byte[] message = new byte[length];
        Arrays.fill(message, (byte) number);
        ByteBuffer.wrap(message).putInt(number);
        return message;
    }

    private static int number(byte[] message, int length) {
        if (message.length != length) {
            return ALTERED;
        }
        int number = ByteBuffer.wrap(message).getInt();
        return Arrays.equals(message, message(number, length)) ? number : ALTERED;
    }

    private static final class Bytes extends Flow {
        private final Socket socket;

        Bytes(Socket socket) throws IOException {
            this.socket = socket;
            socket.setSoTimeout(MAX_WAIT);
        }

        @Override
        void send(int[] numbers) throws IOException {
            ByteArrayOutputStream all = new ByteArrayOutputStream(numbers.length * MESSAGE);
            for (int number : numbers) {
                all.writeBytes(message(number, MESSAGE));
            }
            socket.getOutputStream().write(all.toByteArray());
        }

        @Override
        int receive() throws IOException {
            byte[] message = socket.getInputStream().readNBytes(MESSAGE);
            if (message.length < MESSAGE) {
                throw new IOException("tunnel: closed by the proxy");
            }
            return number(message, MESSAGE);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static final class Datagrams extends Flow {
        private final UdpTunnel tunnel;

        Datagrams(UdpTunnel tunnel) throws IOException {
            this.tunnel = tunnel;
            tunnel.timeout(MAX_WAIT);
        }

        @Override
        void send(int[] numbers) throws IOException {
            for (int number : numbers) {
                tunnel.send(message(number, DATAGRAM));
            }
        }

        @Override
        int receive() throws IOException {
            return number(tunnel.receive(), DATAGRAM);
        }

        @Override
        public void close() throws IOException {
            tunnel.close();
        }
    }

    /** The path of a request is its number, and the body of its response is that path. */
    private static final class Requests extends Flow {
        private static final int BUFFER = 2_048;

        private final Http1Socket connection;

        Requests(int port) throws IOException {
            connection = Http1Socket.to(port, InetAddress.getLoopbackAddress(), BUFFER);
        }

        @Override
        void send(int[] numbers) throws IOException {
            StringBuilder requests = new StringBuilder();
            for (int number : numbers) {
                requests.append("GET /").append(number).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            connection.send(requests.toString().getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        int receive() throws IOException {
            return numberIn(connection.receive(), "/");
        }

        @Override
        public void close() throws IOException {
            connection.close();
        }
    }

    /** Returns the number in a response whose body is the prefix and a number. */
    static int numberIn(Response response, String prefix) {
        String body = response.body();
        if (response.status() != 200 || !body.startsWith(prefix)) {
            return ALTERED;
        }
        try {
            return Integer.parseUnsignedInt(body, prefix.length(), body.length(), 10);
        } catch (NumberFormatException e) {
            return ALTERED;
        }
    }
}
