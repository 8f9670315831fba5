package dev.postern.load.worker;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;

/** Blocking connection to memcached that asks for keys that were never stored, as the check of a fresh token does. */
final class CheckConnection implements OpenLoad.Caller, Closeable {
    private static final byte[] VERSION = "version\r\n".getBytes(StandardCharsets.ISO_8859_1);
    /** Milliseconds. */
    private static final int MAX_WAIT = 10_000;
    /** Fills the key to the length of a ledger's key. */
    private static final String PREFIX = "check:%016d:%020d:";

    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;
    private final WriteMode mode;
    private final Histogram versions;
    private final String prefix;
    private long number;

    /** @param versions takes the times of the commands that precede checks, in nanoseconds */
    CheckConnection(int port, WriteMode mode, int index, Histogram versions) throws IOException {
        this.mode = mode;
        this.versions = versions;
        prefix = PREFIX.formatted(ProcessHandle.current().pid(), index);
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(mode.noDelay());
        socket.setSoTimeout(MAX_WAIT);
        out = socket.getOutputStream();
        in = new BufferedInputStream(socket.getInputStream());
    }

    @Override
    public boolean call() throws IOException {
        if (mode.version()) {
            long start = System.nanoTime();
            out.write(VERSION);
            if (!line().startsWith("VERSION ")) {
                return false;
            }
            versions.recordValue(System.nanoTime() - start);
        }
        for (byte[] bytes : mode.writes(prefix + number++)) {
            out.write(bytes);
        }
        return line().equals("END\r");
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(16);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("closed by memcached");
            }
            line.append((char) next);
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
