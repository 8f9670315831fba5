package dev.postern.load.dribble;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/** Socket below TLS that holds records back, so that many leave in one segment. */
final class HoldingSocket extends Socket {
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
