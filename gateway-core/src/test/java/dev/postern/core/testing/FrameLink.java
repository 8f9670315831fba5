package dev.postern.core.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** Connection that carries the frames of a {@link FrameClient}. */
interface FrameLink {

    InputStream in() throws IOException;

    OutputStream out() throws IOException;

    /** Returns whether bytes have arrived that were not read. */
    boolean ready() throws IOException;

    /** Ends the output. */
    void finish() throws IOException;

    void close() throws IOException;

    static FrameLink of(Socket socket) throws IOException {
        socket.setSoTimeout(30_000);
        socket.setTcpNoDelay(true);
        return new OfSocket(socket);
    }

    /** Link over a blocking socket. */
    record OfSocket(Socket socket) implements FrameLink {

        @Override
        public InputStream in() throws IOException {
            return socket.getInputStream();
        }

        @Override
        public OutputStream out() throws IOException {
            return socket.getOutputStream();
        }

        @Override
        public boolean ready() throws IOException {
            return in().available() > 0;
        }

        @Override
        public void finish() throws IOException {
            socket.shutdownOutput();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
