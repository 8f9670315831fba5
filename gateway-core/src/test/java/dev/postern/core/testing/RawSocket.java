package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** Socket whose bytes a test writes and reads, at either end of a connection; each read ends after 30 s at the latest. */
abstract class RawSocket implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket;
    final InputStream in;

    RawSocket(Socket socket) {
        this.socket = socket;
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new IllegalStateException("socket: closed (expected: open)", e);
        }
    }

    final void limitReads(Duration longest) {
        try {
            socket.setSoTimeout(Math.toIntExact(longest.toMillis()));
        } catch (IOException e) {
            throw new IllegalStateException("socket: closed (expected: open)", e);
        }
    }

    final void write(String bytes) {
        try {
            socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
            socket.getOutputStream().flush();
        } catch (IOException e) {
            throw new IllegalStateException("cannot write", e);
        }
    }

    /** Writes a byte, with the exception of the socket. */
    final void probe(char letter) throws IOException {
        socket.getOutputStream().write(letter);
    }

    final void endOutput() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new IllegalStateException("cannot shut down", e);
        }
    }

    /** Reads up to and including that text. */
    public final String readUntil(String end) {
        StringBuilder text = new StringBuilder();
        try {
            while (text.indexOf(end, text.length() - end.length()) < 0) {
                int b = in.read();
                if (b < 0) {
                    throw new IllegalStateException("connection ended after: " + text);
                }
                text.append((char) b);
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot read after: " + text, e);
        }
        return text.toString();
    }

    /** Reads that many bytes; fewer when the connection ends before. */
    public final String readBytes(int count) {
        StringBuilder text = new StringBuilder();
        try {
            while (text.length() < count) {
                int b = in.read();
                if (b < 0) {
                    break;
                }
                text.append((char) b);
            }
        } catch (SocketTimeoutException e) {
            throw new IllegalStateException("still open after: " + text, e);
        } catch (IOException e) {
            return text.toString(); // reset: the end of the input
        }
        return text.toString();
    }

    /** Reads until the gateway closes or resets the connection. */
    public final String rest() {
        return readBytes(Integer.MAX_VALUE);
    }

    /** Returns whether the gateway closed the connection without sending more. */
    public final boolean closedByPeer() {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Closes with RST instead of FIN. */
    public final void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("cannot reset", e);
        }
    }

    @Override
    public final void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
