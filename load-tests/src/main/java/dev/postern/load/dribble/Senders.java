package dev.postern.load.dribble;

import dev.postern.app.socket.Http1Socket;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** Senders of inputs: bytes, frames, TLS records, and responses of an upstream. */
final class Senders {
    private static final int DISCARDED_AT_ONCE = 64 * 1024;
    private static final int LAST_READ_MILLIS = 3_000;

    private Senders() {}

    /** Sends a beginning, waits for a response head when {@code waits}, and repeats a block. */
    static Input.Sender bytes(
            ToIntFunction<DribbleSite> port, Function<DribbleSite, String> begin, boolean waits, byte[] block) {
        return (site, pace) -> {
            try (Socket socket = site.connect(port.applyAsInt(site))) {
                socket.getOutputStream().write(Wire.text(begin.apply(site)));
                if (waits) {
                    new Http1Socket(socket, 0).responseHead();
                }
                Thread reader = discard(socket.getInputStream());
                repeat(socket.getOutputStream(), block, pace);
                finish(socket, reader);
            }
        };
    }

    /** Sends a beginning, and the bytes of the block one by one, each in a segment of its own. */
    static Input.Sender singles(ToIntFunction<DribbleSite> port, String begin, byte[] block) {
        return (site, pace) -> {
            try (Socket socket = site.connect(port.applyAsInt(site))) {
                socket.getOutputStream().write(Wire.text(begin));
                Thread reader = discard(socket.getInputStream());
                for (int i = 0; pace.await(1); i = (i + 1) % block.length) {
                    socket.getOutputStream().write(block[i]);
                    pace.sent(1);
                }
                finish(socket, reader);
            }
        };
    }

    /** Sends a beginning, and records of that many bytes over TLS, in segments as large as those of other senders. */
    static Input.Sender records(String begin, int size) {
        return (site, pace) -> {
            try (HoldingSocket held = new HoldingSocket(site.tlsPort());
                    Socket socket = site.tls(held)) {
                OutputStream out = socket.getOutputStream();
                out.write(Wire.text(begin));
                Thread reader = discard(socket.getInputStream());
                held.hold();
                byte[] record = Wire.text("x".repeat(size));
                while (pace.await(Wire.BLOCK)) {
                    while (held.held() < Wire.BLOCK) {
                        out.write(record);
                    }
                    pace.sent(held.push());
                }
                finish(held, reader);
            }
        };
    }

    /**
     * Sends frames over HTTP/2.
     *
     * @param fields of the request on stream 1, or null
     * @param window bytes of the window of stream 1 that a block takes
     * @param block by its number
     */
    static Input.Sender frames(
            ToIntFunction<DribbleSite> port,
            Function<DribbleSite, byte[]> fields,
            int window,
            IntFunction<byte[]> block) {
        return frames(port, fields, 1, window, block);
    }

    /**
     * Sends frames of several requests over HTTP/2.
     *
     * @param fields of the requests on the streams 1, 3 and so on, or none
     * @param streams how many
     * @param window bytes of the window of each of these streams that a block takes
     * @param block by its number
     */
    static Input.Sender frames(
            ToIntFunction<DribbleSite> port,
            Function<DribbleSite, byte[]> fields,
            int streams,
            int window,
            IntFunction<byte[]> block) {
        return (site, pace) -> {
            try (Socket socket = site.connect(port.applyAsInt(site))) {
                Http2Line line =
                        Http2Line.ofClient(new DataInputStream(socket.getInputStream()), socket.getOutputStream());
                Thread reader = site.start(() -> line.read((stream, flags) -> {}));
                byte[] begin = fields.apply(site);
                for (int i = 0; i < streams && begin.length > 0; i++) {
                    line.write(Wire.frame(Wire.HEADERS, Wire.END_HEADERS, 1 + 2 * i, begin));
                }
                int[] all = IntStream.range(0, streams).map(i -> 1 + 2 * i).toArray();
                repeat(line, all, window, block, pace);
                finish(socket, reader);
            }
        };
    }

    /** Ends the direction to the gateway, which then reads all that was sent, and waits for the end of the other one. */
    private static void finish(Socket socket, Thread reader) throws IOException, InterruptedException {
        socket.shutdownOutput();
        reader.join(LAST_READ_MILLIS);
        socket.close();
        reader.join();
    }

    private static void repeat(Http2Line line, int[] streams, int window, IntFunction<byte[]> block, Pace pace)
            throws IOException, InterruptedException {
        for (int i = 0; ; i++) {
            byte[] next = block.apply(i);
            if (!pace.await(next.length)) {
                return;
            }
            for (int stream : streams) {
                if (!line.take(stream, window, pace)) {
                    return;
                }
            }
            line.write(next);
            pace.sent(next.length);
        }
    }

    /** Repeats a block on a stream of the upstream's response. */
    static void respond(Http2Line line, int stream, Responses.Response response, Pace pace) {
        try {
            if (response.begin().length > 0) {
                line.write(Wire.frame(Wire.HEADERS, Wire.END_HEADERS, stream, response.begin()));
            }
            repeat(line, new int[] {stream}, response.window(), number -> response.block(stream), pace);
        } catch (IOException e) {
            // the turn has ended
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Requests the response of an upstream that sends the input. */
    static Input.Sender response(String path, Responses.Response response) {
        return (site, pace) -> {
            site.respond(response, pace);
            try (Socket socket = site.connect(site.port())) {
                socket.getOutputStream()
                        .write(Wire.text("GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"));
                Thread reader = discard(socket.getInputStream());
                while (reader.isAlive() && !pace.isOver()) {
                    reader.join(20);
                }
                finish(socket, reader);
            }
        };
    }

    static void repeat(OutputStream out, byte[] block, Pace pace) throws IOException {
        while (pace.await(block.length)) {
            out.write(block);
            pace.sent(block.length);
        }
    }

    /** Reads and discards until the connection ends. */
    static Thread discard(InputStream in) {
        Thread reader = new Thread(() -> discardAll(in), "discard");
        reader.setDaemon(true);
        reader.start();
        return reader;
    }

    static void discardAll(InputStream in) {
        byte[] buffer = new byte[DISCARDED_AT_ONCE];
        try {
            while (in.read(buffer) >= 0) {
                // more
            }
        } catch (IOException e) {
            // closed
        }
    }

    /** Socket below TLS that holds records back, so that many leave in one segment. */
    private static final class HoldingSocket extends Socket {
        private final Holding out;

        HoldingSocket(int port) throws IOException {
            super(InetAddress.getLoopbackAddress(), port);
            setTcpNoDelay(true);
            this.out = new Holding(super.getOutputStream());
        }

        @Override
        public OutputStream getOutputStream() {
            return out;
        }

        /** Holds records from now on. */
        void hold() {
            out.holds = true;
        }

        int held() {
            return out.held.size();
        }

        /** Sends what is held. Returns its bytes. */
        int push() throws IOException {
            int bytes = out.held.size();
            out.held.writeTo(out.socket);
            out.held.reset();
            return bytes;
        }

        private static final class Holding extends OutputStream {
            private final OutputStream socket;
            private final ByteArrayOutputStream held = new ByteArrayOutputStream();
            private volatile boolean holds;

            Holding(OutputStream socket) {
                this.socket = socket;
            }

            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (holds) {
                    held.write(bytes, offset, length);
                } else {
                    socket.write(bytes, offset, length);
                }
            }
        }
    }
}
