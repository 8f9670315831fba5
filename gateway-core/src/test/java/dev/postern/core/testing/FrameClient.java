package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Client of HTTP/2 that writes single frames, valid or not (RFC 9113 section 4), over a blocking socket or to a channel in memory. */
public final class FrameClient implements AutoCloseable {

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int PRIORITY = 2;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PUSH_PROMISE = 5;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;

    public static final int ACK = 1;
    public static final int END_STREAM = 1;
    public static final int END_HEADERS = 4;
    public static final int PADDED = 8;
    public static final int WITH_PRIORITY = 0x20;

    /** The gateway's maximum frame size, which no client has increased (RFC 9113 section 6.5.2). */
    private static final int LONGEST_FRAME = 16_384;

    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final List<String> ERRORS = List.of(
            "NO_ERROR",
            "PROTOCOL_ERROR",
            "INTERNAL_ERROR",
            "FLOW_CONTROL_ERROR",
            "SETTINGS_TIMEOUT",
            "STREAM_CLOSED",
            "FRAME_SIZE_ERROR",
            "REFUSED_STREAM",
            "CANCEL",
            "COMPRESSION_ERROR",
            "CONNECT_ERROR",
            "ENHANCE_YOUR_CALM",
            "INADEQUATE_SECURITY",
            "HTTP_1_1_REQUIRED");

    private final FrameLink link;
    private final DataInputStream in;
    private final OutputStream out;
    private final Map<Integer, Response> responses = new HashMap<>();
    private final ByteArrayOutputStream block = new ByteArrayOutputStream();
    private final FieldBlock.Reader fieldReader = new FieldBlock.Reader();
    private boolean acknowledges = true;
    private boolean dismissed;

    /** HTTP/2 frame. */
    public record Frame(int type, int flags, int stream, byte[] payload) {

        public boolean has(int flag) {
            return (flags & flag) != 0;
        }

        /** Returns the 32-bit number at that offset of the payload. */
        public int number(int offset) {
            return ByteBuffer.wrap(payload).getInt(offset);
        }

        /** Returns the error code of an RST_STREAM or a GOAWAY. */
        public String error() {
            return ERRORS.get(number(type == GOAWAY ? 4 : 0));
        }

        /** Returns the debug data of a GOAWAY. */
        public String debug() {
            return new String(payload, 8, payload.length - 8, ISO_8859_1);
        }
    }

    /** Response received so far on one stream. */
    public static final class Response {

        private String status = "";
        private String interim = "";
        private final Map<String, String> fields = new HashMap<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private boolean ended;
        private String reset = "";

        public String status() {
            return status;
        }

        /** Returns the statuses of the interim heads, separated by commas. */
        public String interim() {
            return interim;
        }

        public String field(String name) {
            return fields.getOrDefault(name, "");
        }

        public String body() {
            return body.toString(ISO_8859_1);
        }

        public int length() {
            return body.size();
        }

        public boolean ended() {
            return ended;
        }

        /** Returns the error of its RST_STREAM, or an empty text. */
        public String reset() {
            return reset;
        }

        private boolean over() {
            return ended || !reset.isEmpty();
        }
    }

    private FrameClient(FrameLink link) throws IOException {
        this.link = link;
        in = new DataInputStream(link.in());
        out = link.out();
    }

    /** Sets whether received SETTINGS are acknowledged. */
    public void acknowledges(boolean value) {
        acknowledges = value;
    }

    /** Creates a client over a connected socket; nothing is sent. */
    public static FrameClient over(Socket socket) {
        try {
            return new FrameClient(FrameLink.of(socket));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates the peer of a channel in memory; nothing is sent. A wait for a frame that the channel has not sent fails at once. */
    public static FrameClient over(EmbeddedChannel channel) {
        try {
            return new FrameClient(new ChannelLink(channel));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects and sends nothing. */
    public static FrameClient silent(int port) {
        try {
            return over(new Socket(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects and sends preface and settings, the first of which sets the header table size to 0. */
    public static FrameClient connect(int port, int... settings) {
        return silent(port).greet(settings);
    }

    /** Reads the connection preface of a client that this object serves. */
    public FrameClient readPreface() {
        try {
            String preface = new String(in.readNBytes(PREFACE.length()), ISO_8859_1);
            if (!preface.equals(PREFACE)) {
                throw new AssertionError("preface: " + preface);
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends preface and settings: alternating identifiers and values. */
    public FrameClient greet(int... settings) {
        int[] all = new int[settings.length + 2];
        all[0] = 1;
        System.arraycopy(settings, 0, all, 2, settings.length);
        return bytes(PREFACE.getBytes(ISO_8859_1)).frame(SETTINGS, 0, 0, settings(all));
    }

    /** Returns the payload of a SETTINGS frame. */
    public static byte[] settings(int... settings) {
        ByteBuffer payload = ByteBuffer.allocate(settings.length * 3);
        for (int i = 0; i < settings.length; i += 2) {
            payload.putShort((short) settings[i]).putInt(settings[i + 1]);
        }
        return payload.array();
    }

    /** Encodes numbers in four bytes each. */
    public static byte[] numbers(int... numbers) {
        ByteBuffer payload = ByteBuffer.allocate(numbers.length * 4);
        for (int number : numbers) {
            payload.putInt(number);
        }
        return payload.array();
    }

    public FrameClient bytes(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            // closed meanwhile; bytes received before can still be read
        }
        return this;
    }

    public FrameClient frame(int type, int flags, int stream, byte[] payload) {
        return bytes(raw(type, flags, stream, payload));
    }

    /** Encodes a frame. */
    public static byte[] raw(int type, int flags, int stream, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.put((byte) (payload.length >> 16))
                .put((byte) (payload.length >> 8))
                .put((byte) payload.length);
        frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
        return frame.array();
    }

    /** Sends a complete field section of alternating names and values. */
    public FrameClient headers(int stream, boolean end, String... fields) {
        return frame(HEADERS, END_HEADERS | (end ? END_STREAM : 0), stream, FieldBlock.of(fields));
    }

    /** Sends GET of that path with additional fields. */
    public FrameClient get(int stream, String path, String... fields) {
        return headers(stream, true, request("GET", path, fields));
    }

    /** Sends POST of that path, whose body follows. */
    public FrameClient post(int stream, String path, String... fields) {
        return headers(stream, false, request("POST", path, fields));
    }

    /** Returns the fields of a request. */
    public static String[] request(String method, String path, String... more) {
        String[] all = new String[8 + more.length];
        String[] pseudo = {":method", method, ":scheme", "http", ":authority", "site.example", ":path", path};
        System.arraycopy(pseudo, 0, all, 0, 8);
        System.arraycopy(more, 0, all, 8, more.length);
        return all;
    }

    public FrameClient data(int stream, boolean end, String data) {
        return frame(DATA, end ? END_STREAM : 0, stream, data.getBytes(ISO_8859_1));
    }

    public FrameClient window(int stream, int more) {
        return frame(WINDOW_UPDATE, 0, stream, numbers(more));
    }

    public FrameClient reset(int stream) {
        return frame(RST_STREAM, 0, stream, numbers(8));
    }

    /** Closes the output. */
    public FrameClient finish() {
        try {
            link.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Returns the next frame, or null when the gateway has closed the connection. */
    public @Nullable Frame next() {
        try {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt() & 0x7fffffff;
            if (length > LONGEST_FRAME) {
                throw new AssertionError("a frame of " + length + " bytes (expected: " + LONGEST_FRAME + " at most)");
            }
            Frame frame = new Frame(type, flags, stream, in.readNBytes(length));
            note(frame);
            return frame;
        } catch (EOFException | SocketException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void note(Frame frame) {
        Response response = responses.computeIfAbsent(frame.stream(), id -> new Response());
        switch (frame.type()) {
            case HEADERS, CONTINUATION -> {
                block.writeBytes(frame.payload());
                if (frame.has(END_HEADERS)) {
                    fields(response, fieldReader.read(block.toByteArray()));
                    block.reset();
                }
            }
            case DATA -> response.body.writeBytes(frame.payload());
            case RST_STREAM -> response.reset = frame.error();
            case GOAWAY -> dismissed = true;
            case SETTINGS -> {
                if (!frame.has(ACK) && acknowledges) {
                    frame(SETTINGS, ACK, 0, new byte[0]);
                }
            }
            default -> {
                return;
            }
        }
        response.ended |= (frame.type() == HEADERS || frame.type() == DATA) && frame.has(END_STREAM);
    }

    private static void fields(Response response, List<String> fields) {
        for (int i = 0; i < fields.size(); i += 2) {
            if (!fields.get(i).equals(":status")) {
                response.fields.put(fields.get(i), fields.get(i + 1));
            } else if (fields.get(i + 1).startsWith("1")) {
                response.interim += (response.interim.isEmpty() ? "" : ",") + fields.get(i + 1);
            } else {
                response.status = fields.get(i + 1);
            }
        }
    }

    /** Returns the frames that have arrived and were not read, without a wait for more. */
    public List<Frame> arrived() {
        List<Frame> frames = new ArrayList<>();
        try {
            while (link.ready()) {
                Frame frame = next();
                if (frame != null) {
                    frames.add(frame);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return frames;
    }

    /** Returns the next frame of that type; fails when the connection ends before. */
    public Frame await(int type) {
        for (Frame frame = next(); frame != null; frame = next()) {
            if (frame.type() == type) {
                return frame;
            }
        }
        throw new AssertionError("connection closed (expected: a frame of type " + type + ")");
    }

    /** Returns whether the gateway has sent GOAWAY. */
    public boolean dismissed() {
        return dismissed;
    }

    /** Returns the response received so far on that stream. */
    public Response soFar(int stream) {
        return responses.computeIfAbsent(stream, id -> new Response());
    }

    /** Returns the response on that stream once it has ended or was reset; fails when the connection ends before. */
    public Response response(int stream) {
        Response response = soFar(stream);
        while (!response.over()) {
            Frame frame = next();
            if (frame == null) {
                throw new AssertionError("connection closed (expected: the end of stream " + stream + ")");
            }
        }
        return response;
    }

    /**
     * Returns the outcome of that stream: {@code 200}; {@code RST X}, after a status if one was received; {@code GOAWAY X}; {@code CLOSED}.
     * Stream 0 stands for the connection, of which {@code ALIVE} means that it still responds.
     */
    public String outcome(int stream) {
        if (stream == 0) {
            frame(PING, 0, 0, new byte[8]);
        }
        for (Frame frame = next(); frame != null; frame = next()) {
            if (frame.type() == GOAWAY && !frame.error().equals("NO_ERROR")) {
                return "GOAWAY " + frame.error();
            }
            if (stream == 0 && frame.type() == PING && frame.has(ACK)) {
                return "ALIVE";
            }
            Response response = soFar(stream);
            if (stream != 0 && response.over()) {
                String reset = response.reset.isEmpty() ? "" : "RST " + response.reset;
                return (response.status + " " + reset).trim();
            }
        }
        return "CLOSED";
    }

    /** Returns whether the gateway closes the connection, whatever it sends before. */
    public boolean closedByPeer() {
        for (Frame frame = next(); frame != null; frame = next()) {
            // any frame
        }
        return true;
    }

    @Override
    public void close() {
        try {
            link.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
