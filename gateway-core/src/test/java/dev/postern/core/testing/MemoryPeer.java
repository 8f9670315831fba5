package dev.postern.core.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;

/** Peer's end of a connection in memory, for a test that reads and writes it as a socket. Each call lets the gateway do all it can. */
final class MemoryPeer extends Socket {

    private final MemoryEnd socket;
    private final Runnable network;
    private final InputStream in = new In();
    private final OutputStream out = new Out();
    private int patience;
    private boolean resets;
    private boolean closed;

    MemoryPeer(MemoryEnd socket, Runnable network) {
        this.socket = socket;
        this.network = network;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() {
        return out;
    }

    @Override
    public void setTcpNoDelay(boolean on) {}

    @Override
    public synchronized void setSoTimeout(int millis) {
        patience = millis;
    }

    @Override
    public void setSoLinger(boolean on, int seconds) {
        resets = on && seconds == 0;
    }

    @Override
    public void shutdownOutput() {
        socket.endInput();
        network.run();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (resets) {
            socket.resetByPeer();
        } else {
            socket.endInput();
        }
        network.run();
    }

    /** Bytes that the gateway sent. A read fails when nothing is there, nothing will come, and the connection is open. */
    private final class In extends InputStream {

        private byte[] read = {};
        private int offset;

        @Override
        public int available() {
            network.run();
            while (offset == read.length) {
                byte[] next = socket.sent();
                if (next == null) {
                    return 0;
                }
                read = next;
                offset = 0;
            }
            return read.length - offset;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int start, int length) throws IOException {
            boolean ended = socket.ended();
            int taken = Math.min(length, available());
            while (taken == 0 && length > 0 && !ended && socket.awaitMore(patience)) {
                ended = socket.ended();
                taken = Math.min(length, available());
            }
            if (taken == 0 && length > 0) {
                return end();
            }
            System.arraycopy(read, offset, to, start, taken);
            offset += taken;
            return taken;
        }

        private int end() throws IOException {
            if (!socket.ended()) {
                throw new SocketTimeoutException("nothing arrives");
            }
            if (socket.wasReset()) {
                throw new SocketException("Connection reset");
            }
            return -1;
        }
    }

    /** Bytes for the gateway: each write is one piece. */
    private final class Out extends OutputStream {

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (!socket.isOpen()) {
                throw new SocketException("Broken pipe");
            }
            if (length > 0) {
                socket.send(Arrays.copyOfRange(bytes, offset, offset + length));
                network.run();
            }
        }
    }
}
