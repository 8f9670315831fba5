package dev.postern.load.dribble;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** HTTP/2 connection of a sender: reads and discards frames, and keeps the windows. Its own windows are never exhausted. */
final class Http2Line {
    private static final byte[] PREFACE = Wire.text("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    private static final int DEFAULT_WINDOW = 65_535;
    private static final int INITIAL_WINDOW_SIZE = 4;

    private final DataInputStream in;
    private final OutputStream out;
    private long connectionWindow = DEFAULT_WINDOW;
    private final Map<Integer, Long> streamWindows = new HashMap<>();
    private final Set<Integer> closed = new HashSet<>();
    private long initialWindow = DEFAULT_WINDOW;
    private boolean ended;

    /** Takes the HEADERS frames that arrive. */
    interface Heads {
        void head(int stream, int flags) throws IOException;
    }

    private Http2Line(DataInputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Sends the client's preface. */
    static Http2Line ofClient(DataInputStream in, OutputStream out) throws IOException {
        out.write(PREFACE);
        return new Http2Line(in, out).greet();
    }

    /** Reads the client's preface. */
    static Http2Line ofServer(DataInputStream in, OutputStream out) throws IOException {
        in.readNBytes(PREFACE.length);
        return new Http2Line(in, out).greet();
    }

    private Http2Line greet() throws IOException {
        byte[] window = ByteBuffer.allocate(6)
                .putShort((short) INITIAL_WINDOW_SIZE)
                .putInt(Integer.MAX_VALUE)
                .array();
        write(Wire.frame(Wire.SETTINGS, 0, 0, window));
        write(Wire.frame(
                Wire.WINDOW_UPDATE,
                0,
                0,
                ByteBuffer.allocate(4)
                        .putInt(Integer.MAX_VALUE - DEFAULT_WINDOW)
                        .array()));
        return this;
    }

    /** Locks the output alone: while a write waits for the gateway, frames of the gateway are still read. */
    void write(byte[] bytes) throws IOException {
        synchronized (out) {
            out.write(bytes);
            out.flush();
        }
    }

    /** Reads frames until the connection ends. */
    void read(Heads heads) {
        try {
            while (true) {
                int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt();
                byte[] payload = in.readNBytes(length);
                if (type == Wire.HEADERS) {
                    heads.head(stream, flags);
                } else {
                    control(type, flags, stream, payload);
                }
            }
        } catch (IOException e) {
            end();
        }
    }

    private void control(int type, int flags, int stream, byte[] payload) throws IOException {
        if (type == Wire.SETTINGS && (flags & Wire.ACK) == 0) {
            settings(ByteBuffer.wrap(payload));
            write(Wire.frame(Wire.SETTINGS, Wire.ACK, 0, new byte[0]));
        } else if (type == Wire.PING && (flags & Wire.ACK) == 0) {
            write(Wire.frame(Wire.PING, Wire.ACK, 0, payload));
        } else if (type == Wire.RST_STREAM) {
            close(stream);
        } else if (type == Wire.WINDOW_UPDATE) {
            open(stream, ByteBuffer.wrap(payload).getInt());
        }
    }

    private synchronized void settings(ByteBuffer settings) {
        while (settings.remaining() >= 6) {
            int id = settings.getShort();
            int value = settings.getInt();
            if (id == INITIAL_WINDOW_SIZE) {
                long more = value - initialWindow;
                streamWindows.replaceAll((stream, window) -> window + more);
                initialWindow = value;
                notifyAll();
            }
        }
    }

    private synchronized void open(int stream, int more) {
        if (stream == 0) {
            connectionWindow += more;
        } else {
            streamWindows.merge(stream, initialWindow + more, (window, opened) -> window + more);
        }
        notifyAll();
    }

    /** No more is sent on a stream that the gateway has reset. */
    private synchronized void close(int stream) {
        closed.add(stream);
        notifyAll();
    }

    private boolean over(int stream, Pace pace) {
        return ended || closed.contains(stream) || pace.isOver();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Waits for that much of both windows, and takes it; false when the connection or the turn has ended. */
    synchronized boolean take(int stream, int bytes, Pace pace) throws InterruptedException {
        streamWindows.putIfAbsent(stream, initialWindow);
        while (!over(stream, pace) && (connectionWindow < bytes || streamWindows.get(stream) < bytes)) {
            wait(100);
        }
        connectionWindow -= bytes;
        streamWindows.merge(stream, 0L, (window, none) -> window - bytes);
        return !over(stream, pace);
    }
}
