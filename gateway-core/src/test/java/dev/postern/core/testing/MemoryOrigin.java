package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.testing.TestOrigin.Behaviour;
import dev.postern.core.testing.TestOrigin.Received;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Origin in memory that records every received request and responds, or misbehaves, as the test defines: a {@link TestOrigin} without threads. */
public final class MemoryOrigin {

    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private volatile Behaviour behaviour = Behaviour.ok("hello");

    MemoryOrigin() {}

    public void behave(Behaviour next) {
        behaviour = next;
    }

    /** Returns the requests that arrived completely. */
    public List<Received> received() {
        return received;
    }

    public int connections() {
        return lines.size();
    }

    /** Closes all open connections. */
    public void closeConnections() {
        try {
            for (Line line : lines) {
                line.socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close", e);
        }
    }

    void accept(Socket socket) {
        lines.add(new Line(socket));
    }

    /** Responds to what has arrived; false when nothing has. */
    boolean serve() {
        boolean served = false;
        for (Line line : List.copyOf(lines)) {
            served |= line.serve();
        }
        return served;
    }

    /** Connection of the gateway, and the bytes of a request that has not arrived completely. */
    private final class Line {

        private final Socket socket;
        private final int number;
        private byte[] held = {};

        Line(Socket socket) {
            this.socket = socket;
            this.number = lines.size() + 1;
        }

        boolean serve() {
            try {
                InputStream in = socket.getInputStream();
                boolean more = in.available() > 0;
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                all.writeBytes(held);
                while (in.available() > 0) {
                    all.writeBytes(in.readNBytes(in.available()));
                }
                held = all.toByteArray();
                for (Received request = next(); request != null; request = next()) {
                    received.add(request);
                    behaviour.response(request, socket);
                }
                return more;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot serve", e);
            }
        }

        private @Nullable Received next() {
            int end = new String(held, ISO_8859_1).indexOf("\r\n\r\n") + 4;
            if (end < 4) {
                return null;
            }
            String head = new String(held, 0, end, ISO_8859_1);
            ByteArrayInputStream rest = new ByteArrayInputStream(held, end, held.length - end);
            Received request;
            try {
                request = new Received(head, TestOrigin.body(head, rest), number);
            } catch (IOException e) {
                return null; // a part of a chunked body
            }
            String length = request.field("Content-Length");
            if (!length.isEmpty() && request.body().length < Integer.parseInt(length)) {
                return null;
            }
            held = rest.readAllBytes();
            return request;
        }
    }
}
