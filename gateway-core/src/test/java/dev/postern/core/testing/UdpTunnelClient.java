package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Client of one UDP tunnel over HTTP/1.1 or HTTP/2 (RFC 9298), which writes and reads capsules over blocking sockets; written apart from
 * the gateway's own code.
 */
public abstract class UdpTunnelClient implements AutoCloseable {

    /** HTTP version of a tunnel, as a parameter of tests. */
    public enum Version {
        HTTP_1,
        HTTP_2;

        /** Sends the request for a tunnel. */
        public UdpTunnelClient ask(int port, String path) {
            return this == HTTP_1 ? new OverHttp1(port, path, "") : new OverHttp2(port, path);
        }

        /** Opens a tunnel. */
        public UdpTunnelClient open(int port, String path) {
            UdpTunnelClient client = ask(port, path);
            int expected = this == HTTP_1 ? 101 : 200;
            if (client.status() != expected) {
                throw new AssertionError("status " + client.status() + " (expected: " + expected + ")");
            }
            return client;
        }
    }

    /** Sends the request for a tunnel over HTTP/1.1, with further fields, each with its line end. */
    public static UdpTunnelClient ask(int port, String path, String fields) {
        return new OverHttp1(port, path, fields);
    }

    /** Returns the fields of an extended CONNECT for a tunnel (RFC 9298 section 3.4), and further ones. */
    public static String[] extendedConnect(String path, String... more) {
        String[] fields = {
            ":method", "CONNECT",
            ":protocol", "connect-udp",
            ":scheme", "http",
            ":authority", "proxy.example",
            ":path", path,
            "capsule-protocol", "?1"
        };
        String[] all = Arrays.copyOf(fields, fields.length + more.length);
        System.arraycopy(more, 0, all, fields.length, more.length);
        return all;
    }

    /** Returns the status of the response. */
    public abstract int status();

    /** Returns a field of the response. */
    public abstract String field(String name);

    /** Returns the body of a refusal. */
    public abstract String body();

    /** Sends bytes of the stream as they are. */
    public abstract UdpTunnelClient bytes(byte[] bytes);

    /** Ends the client's direction of the stream. */
    public abstract UdpTunnelClient finish();

    /** Closes the connection without an end of the stream. */
    public abstract void vanish();

    /** Returns how the stream ended, after any datagrams: {@code END}, {@code RESET} or the error of HTTP/2. */
    public abstract String end();

    /** Returns the next byte of the stream; fails at its end. */
    protected abstract int read();

    @Override
    public abstract void close();

    /** Returns the DATAGRAM capsule of a UDP payload. */
    public static byte[] capsule(byte[] payload) {
        ByteArrayOutputStream capsule = new ByteArrayOutputStream();
        int length = payload.length + 1;
        capsule.write(0);
        if (length < 64) {
            capsule.write(length);
        } else if (length < 16_384) {
            capsule.writeBytes(new byte[] {(byte) (0x40 | length >> 8), (byte) length});
        } else {
            capsule.writeBytes(new byte[] {(byte) 0x80, (byte) (length >> 16), (byte) (length >> 8), (byte) length});
        }
        capsule.write(0);
        capsule.writeBytes(payload);
        return capsule.toByteArray();
    }

    /** Sends one datagram. */
    public UdpTunnelClient send(byte[] payload) {
        return bytes(capsule(payload));
    }

    /** Sends one datagram. */
    public UdpTunnelClient send(String payload) {
        return send(payload.getBytes(ISO_8859_1));
    }

    /** Sends bytes of the stream, given in hex. */
    public UdpTunnelClient hex(String bytes) {
        return bytes(HexFormat.of().parseHex(bytes.replace(" ", "")));
    }

    /** Returns the payload of the next datagram. */
    public byte[] receive() {
        long type = integer();
        int length = (int) integer();
        long context = integer();
        if (type != 0 || context != 0) {
            throw new AssertionError("capsule " + type + ", context " + context + " (expected: 0, 0)");
        }
        byte[] payload = new byte[length - 1];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) read();
        }
        return payload;
    }

    /** Returns the payload of the next datagram. */
    public String receiveText() {
        return new String(receive(), ISO_8859_1);
    }

    private long integer() {
        int first = read();
        long value = first & 0x3f;
        for (int i = 1; i < 1 << (first >> 6); i++) {
            value = value << 8 | read();
        }
        return value;
    }

    /** Tunnel that is a connection of HTTP/1.1. */
    private static final class OverHttp1 extends UdpTunnelClient {

        /** A gateway that shares its CPUs relays the datagrams that the kernel holds, some ten thousand, in a minute. */
        private static final Duration PATIENCE = Duration.ofMinutes(2);

        private final RawClient client;
        private final RawClient.Response response;

        OverHttp1(int port, String path, String fields) {
            client = new RawClient(port).patience(PATIENCE);
            client.send("GET " + path + " HTTP/1.1\r\nHost: proxy.example\r\nConnection: Upgrade\r\n"
                    + "Upgrade: connect-udp\r\nCapsule-Protocol: ?1\r\n" + fields + "\r\n");
            response = client.read();
        }

        @Override
        public int status() {
            return response.status();
        }

        @Override
        public String field(String name) {
            return response.field(name);
        }

        @Override
        public String body() {
            return response.body();
        }

        @Override
        public UdpTunnelClient bytes(byte[] bytes) {
            client.send(new String(bytes, ISO_8859_1));
            return this;
        }

        @Override
        public UdpTunnelClient finish() {
            client.finish();
            return this;
        }

        @Override
        public void vanish() {
            client.reset();
        }

        @Override
        public String end() {
            try {
                return client.readEnd().equals("closed") ? "END" : "RESET";
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        protected int read() {
            String one = client.readBytes(1);
            if (one.isEmpty()) {
                throw new AssertionError("the tunnel ended (expected: a datagram)");
            }
            return one.charAt(0);
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** Tunnel that is a stream of HTTP/2. */
    private static final class OverHttp2 extends UdpTunnelClient {

        private static final int FRAME = 16_384;

        private final FrameClient client;
        private int taken;

        OverHttp2(int port, String path) {
            client = FrameClient.connect(port);
            client.headers(1, false, extendedConnect(path));
            client.await(FrameClient.HEADERS);
        }

        @Override
        public int status() {
            return Integer.parseInt(client.soFar(1).status());
        }

        @Override
        public String field(String name) {
            return client.soFar(1).field(name.toLowerCase(java.util.Locale.ROOT));
        }

        @Override
        public String body() {
            return client.response(1).body();
        }

        @Override
        public UdpTunnelClient bytes(byte[] bytes) {
            for (int offset = 0; offset < bytes.length; offset += FRAME) {
                int end = Math.min(bytes.length, offset + FRAME);
                client.frame(FrameClient.DATA, 0, 1, Arrays.copyOfRange(bytes, offset, end));
            }
            return this;
        }

        @Override
        public UdpTunnelClient finish() {
            client.data(1, true, "");
            return this;
        }

        @Override
        public void vanish() {
            client.close();
        }

        @Override
        public String end() {
            FrameClient.Response response = client.response(1);
            return response.reset().isEmpty() || response.reset().equals("NO_ERROR") ? "END" : response.reset();
        }

        @Override
        protected int read() {
            while (client.soFar(1).length() == taken) {
                FrameClient.Frame frame = client.next();
                if (frame == null
                        || client.soFar(1).ended()
                        || !client.soFar(1).reset().isEmpty()) {
                    throw new AssertionError("the tunnel ended (expected: a datagram)");
                }
                if (frame.type() == FrameClient.DATA) {
                    client.window(1, frame.payload().length).window(0, frame.payload().length);
                }
            }
            return client.soFar(1).body().charAt(taken++);
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
