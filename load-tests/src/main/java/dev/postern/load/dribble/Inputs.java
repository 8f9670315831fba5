package dev.postern.load.dribble;

import dev.postern.core.testing.UdpTunnelClient;
import dev.postern.load.dribble.Responses.Response;
import java.io.ByteArrayOutputStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Inputs of the benchmark: the states of each parser, and the types of frames, each repeated as often as it may be. */
final class Inputs {
    /** CPU time of a byte in tiny pieces, as a multiple of that in pieces of 16 KiB. */
    private static final double PIECES = 10;

    private static final int LARGE = 16 * 1024;
    private static final String REFUSED = "GET refused with 404";
    private static final String POST = "POST /app/sink HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String LAST_CHUNK = POST + "0\r\n";
    private static final byte[] TRAILER = Wire.text("a: b\r\n");
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String DATAGRAMS = "datagrams of 16 KiB, capsules";

    private final List<Input> all = new ArrayList<>();
    private final int udpPort;

    /** @param sink takes the datagrams, and is never read */
    private Inputs(DatagramSocket sink) {
        this.udpPort = sink.getLocalPort();
    }

    /** Returns all inputs, each behind its standard. */
    static List<Input> all() {
        try {
            DatagramSocket sink = new DatagramSocket(0, InetAddress.getLoopbackAddress());
            Inputs inputs = new Inputs(sink);
            inputs.bodies();
            inputs.responses();
            inputs.tunnels();
            inputs.heads();
            inputs.frames();
            return inputs.all;
        } catch (SocketException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void standard(String name, Input.Sender sender) {
        all.add(new Input(name, "", 1, sender));
    }

    private void pieces(String name, String standard, Input.Sender sender) {
        all.add(new Input(name, standard, PIECES, sender));
    }

    private void other(String name, Input.Sender sender) {
        all.add(new Input(name, REFUSED, 1, sender));
    }

    private void bodies() {
        String standard = "chunks of 16 KiB";
        standard(standard, chunks(Wire.chunk(LARGE)));
        pieces("chunks of 1 byte", standard, chunks(Wire.chunk(1)));
        pieces("chunks of 16 bytes", standard, chunks(Wire.chunk(16)));
        pieces("chunks with zeros before the size", standard, chunks(Wire.text("00000000001\r\nx\r\n")));
        pieces("chunks with extensions", standard, chunks(Wire.text("1;a=b\r\nx\r\n")));
        pieces("chunks with long extensions", standard, chunks(Wire.text("1;" + "a".repeat(100) + "\r\nx\r\n")));
        pieces("chunks of 1 byte and of 4 KiB in turn", standard, chunks(Wire.concat(Wire.chunk(1), Wire.chunk(4096))));
        String frames = "DATA of 16 KiB";
        standard(frames, data("/app/sink", LARGE, 0));
        pieces("DATA of 1 byte", frames, data("/app/sink", 1, 0));
        pieces("DATA of 1 byte, padded by 1", frames, data("/app/sink", 1, 1));
        pieces("DATA of 1 byte, padded by 255", frames, data("/app/sink", 1, 255));
        pieces("DATA of 1 byte, two streams in turn", frames, dataInTurn());
        String frames2 = "DATA of 16 KiB, h2 upstream";
        standard(frames2, data("/app2/sink", LARGE, 0));
        pieces("DATA of 1 byte, h2 upstream", frames2, data("/app2/sink", 1, 0));
        String records = "TLS records of 16 KiB";
        String post = "POST /app/sink HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999999\r\n\r\n";
        standard(records, Senders.records(post, LARGE));
        pieces("TLS records of 1 byte", records, Senders.records(post, 1));
    }

    private static Input.Sender chunks(byte[] unit) {
        return Senders.bytes(DribbleSite::port, site -> POST, false, Wire.block(unit));
    }

    private static Input.Sender data(String path, int bytes, int padding) {
        byte[] unit = frame(1, bytes, padding);
        byte[] block = Wire.block(unit);
        int window = block.length / unit.length * (unit.length - 9);
        return Senders.frames(DribbleSite::port, site -> Wire.request("POST", path), window, number -> block);
    }

    private static Input.Sender dataInTurn() {
        byte[] unit = Wire.concat(frame(1, 1, 0), frame(3, 1, 0));
        byte[] block = Wire.block(unit);
        int window = block.length / unit.length;
        return Senders.frames(DribbleSite::port, site -> Wire.request("POST", "/app/sink"), 2, window, number -> block);
    }

    private static byte[] frame(int stream, int bytes, int padding) {
        byte[] data = Wire.text("x".repeat(bytes));
        return padding == 0
                ? Wire.frame(Wire.DATA, 0, stream, data)
                : Wire.frame(
                        Wire.DATA,
                        Wire.PADDED,
                        stream,
                        Wire.concat(new byte[] {(byte) padding}, data, new byte[padding]));
    }

    private void responses() {
        String standard = "upstream: chunks of 16 KiB";
        standard(standard, http1(CHUNKED, Wire.chunk(LARGE)));
        pieces("upstream: chunks of 1 byte", standard, http1(CHUNKED, Wire.chunk(1)));
        pieces("upstream: chunks with extensions", standard, http1(CHUNKED, Wire.text("1;a=b\r\nx\r\n")));
        String frames = "upstream: DATA of 16 KiB";
        standard(frames, http2(LARGE, 0));
        pieces("upstream: DATA of 1 byte", frames, http2(1, 0));
        pieces("upstream: DATA of 1 byte, padded by 1", frames, http2(1, 1));
        other("upstream: 103 without fields", http1("", Wire.text("HTTP/1.1 103 x\r\n\r\n")));
        other("upstream: fields", http1("HTTP/1.1 200 OK\r\n", Wire.text("a: b\r\n")));
        other("upstream: trailers", http1(CHUNKED + "0\r\n", TRAILER));
    }

    private static Input.Sender http1(String head, byte[] unit) {
        return Senders.response("/app/response", Responses.http1(head, unit));
    }

    private static Input.Sender http2(int bytes, int padding) {
        int window = bytes + (padding == 0 ? 0 : padding + 1);
        Response response = Responses.http2(Wire.ok(), window, stream -> frame(stream, bytes, padding));
        return Senders.response("/app2/response", response);
    }

    private void tunnels() {
        String frames = "CONNECT: DATA of 16 KiB";
        standard(frames, tunnel(LARGE));
        pieces("CONNECT: DATA of 1 byte", frames, tunnel(1));
        String records = "upgrade: TLS records of 16 KiB";
        String ask = "GET /app/upgrade HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n";
        standard(records, Senders.records(ask, LARGE));
        pieces("upgrade: TLS records of 1 byte", records, Senders.records(ask, 1));
        capsules("", this::capsules);
        capsules(", HTTP/2", unit -> capsules2(unit, LARGE));
        capsules(", HTTP/2 in DATA of 1 byte", unit -> capsules2(unit, 1));
    }

    private void capsules(String over, Function<byte[], Input.Sender> tunnel) {
        String standard = over.isEmpty() ? DATAGRAMS : DATAGRAMS + ", HTTP/2";
        if (all.stream().noneMatch(input -> input.name().equals(standard))) {
            standard(standard, tunnel.apply(capsule(LARGE)));
        }
        pieces("datagrams of 1 byte, capsules" + over, standard, tunnel.apply(capsule(1)));
        pieces("empty datagrams, capsules" + over, standard, tunnel.apply(capsule(0)));
        pieces("capsules of an unknown type, empty" + over, standard, tunnel.apply(new byte[] {0x21, 0}));
        pieces("capsules of an unknown type, 1 byte" + over, standard, tunnel.apply(new byte[] {0x21, 1, 0}));
        pieces("datagrams of an unknown context" + over, standard, tunnel.apply(new byte[] {0, 1, 2}));
    }

    private static Input.Sender tunnel(int bytes) {
        byte[] unit = frame(1, bytes, 0);
        byte[] block = Wire.block(unit);
        int window = block.length / unit.length * bytes;
        return Senders.frames(
                DribbleSite::forwardPort, site -> Wire.connect(site.destination()), window, number -> block);
    }

    private Input.Sender capsules(byte[] unit) {
        String ask = "GET " + udpPath() + " HTTP/1.1\r\nHost: proxy\r\n"
                + "Connection: Upgrade\r\nUpgrade: connect-udp\r\nCapsule-Protocol: ?1\r\n\r\n";
        return Senders.bytes(DribbleSite::forwardPort, site -> ask, true, Wire.block(unit));
    }

    private String udpPath() {
        return "/.well-known/masque/udp/127.0.0.1/" + udpPort + "/";
    }

    /** @param size bytes of each DATA frame at most */
    private Input.Sender capsules2(byte[] unit, int size) {
        byte[] payload = Wire.block(unit);
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (int from = 0; from < payload.length; from += size) {
            byte[] part = Arrays.copyOfRange(payload, from, Math.min(payload.length, from + size));
            frames.writeBytes(Wire.frame(Wire.DATA, 0, 1, part));
        }
        byte[] block = frames.toByteArray();
        return Senders.frames(
                DribbleSite::forwardPort, site -> Wire.connectUdp(udpPath()), payload.length, number -> block);
    }

    /** Returns the capsule of a datagram of that many bytes. */
    private static byte[] capsule(int bytes) {
        return UdpTunnelClient.capsule(Wire.text("x".repeat(bytes)));
    }

    private void heads() {
        byte[] get = Wire.text("GET /none HTTP/1.1\r\nHost: h\r\n\r\n");
        standard(REFUSED, requests(get));
        other(
                "requests with a long line",
                requests(Wire.text("GET /none?" + "a".repeat(6_000) + " HTTP/1.1\r\nHost: h\r\n\r\n")));
        other(
                "requests with many fields",
                requests(Wire.text("GET /none HTTP/1.1\r\nHost: h\r\n" + "a: b\r\n".repeat(80) + "\r\n")));
        other(
                "requests with a long field",
                requests(Wire.text("GET /none HTTP/1.1\r\nHost: h\r\na: " + "b".repeat(6_000) + "\r\n\r\n")));
        other("empty lines before a request", requests(Wire.text("\r\n")));
        String post = "POST /none HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        other("discarded chunks of 1 byte", requests(Wire.text(post + "1\r\nx\r\n".repeat(1_000) + "0\r\n\r\n")));
        other("discarded trailers", requests(Wire.text(post + "0\r\n" + "a: b\r\n".repeat(50) + "\r\n")));
        other("endless trailers", Senders.bytes(DribbleSite::port, site -> LAST_CHUNK, false, Wire.block(TRAILER)));
        all.add(new Input(
                "trailers, a segment for each byte", "", 1, Senders.singles(DribbleSite::port, LAST_CHUNK, TRAILER)));
        all.add(new Input(
                "chunks of 1 byte, a segment for each byte",
                "",
                1,
                Senders.singles(DribbleSite::port, POST, Wire.chunk(1))));
        all.add(new Input(
                "GET refused with 404, a segment for each byte", "", 1, Senders.singles(DribbleSite::port, "", get)));
    }

    private static Input.Sender requests(byte[] unit) {
        return Senders.bytes(DribbleSite::port, site -> "", false, Wire.block(unit));
    }

    private void frames() {
        for (FrameKind kind : FrameKind.ofClient()) {
            other(
                    kind.name(),
                    kind.begins() ? streams(kind.unit()) : repeated(kind.unit().apply(1)));
        }
        for (FrameKind kind : FrameKind.ofUpstream()) {
            Response response = Responses.http2(kind.begins() ? new byte[0] : Wire.ok(), 0, kind.unit());
            other("upstream: " + kind.name(), Senders.response("/app2/response", response));
        }
    }

    private static Input.Sender repeated(byte[] unit) {
        byte[] block = Wire.block(unit);
        return Senders.frames(DribbleSite::port, site -> Wire.request("POST", "/app/sink"), 0, number -> block);
    }

    /** @param unit frames of a new stream */
    private static Input.Sender streams(IntFunction<byte[]> unit) {
        int units = Math.max(1, Wire.BLOCK / unit.apply(1).length);
        return Senders.frames(DribbleSite::port, site -> new byte[0], 0, number -> {
            byte[][] block = new byte[units][];
            for (int i = 0; i < units; i++) {
                block[i] = unit.apply(1 + 2 * (number * units + i));
            }
            return Wire.concat(block);
        });
    }
}
