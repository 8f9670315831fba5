package dev.postern.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Origin of HTTP/2 whose frames the test writes, valid or not. Each wait ends after 10 s at the latest. */
public final class FrameOrigin implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 10_000;

    private final ServerSocket server;
    private final List<FrameClient> lines = new CopyOnWriteArrayList<>();

    public FrameOrigin() {
        try {
            server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
            server.setSoTimeout(PATIENCE_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Accepts the next connection of the gateway and reads its preface; nothing is sent. */
    public FrameClient silent() {
        try {
            Socket socket = server.accept();
            FrameClient line = FrameClient.over(socket).readPreface();
            lines.add(line);
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException("no connection came", e);
        }
    }

    /**
     * Accepts the next connection and sends settings: alternating identifiers and values, the first of which sets the header table size to 0.
     */
    public FrameClient accept(int... settings) {
        int[] all = new int[settings.length + 2];
        all[0] = 1;
        System.arraycopy(settings, 0, all, 2, settings.length);
        return silent().frame(FrameClient.SETTINGS, 0, 0, FrameClient.settings(all));
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lines.forEach(FrameClient::close);
    }
}
