package dev.postern.app.warm;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Connection with the subset of HTTP/1.1 that a warm-up needs, for either side. For one thread; each read ends after two seconds. */
final class WarmUpConnection implements Closeable {

    private static final int PATIENCE_MILLIS = 2000;
    private static final int LONGEST_HEAD = 65_536;

    private final Socket socket;
    private final InputStream in;

    WarmUpConnection(Socket connected) throws IOException {
        socket = connected;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    static WarmUpConnection to(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, PATIENCE_MILLIS);
            return new WarmUpConnection(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Returns the next head; null if the peer has closed the connection. */
    @Nullable
    String head() throws IOException {
        StringBuilder head = new StringBuilder(512);
        while (!ended(head)) {
            int b = in.read();
            if (b < 0 && head.length() == 0) {
                return null;
            }
            if (b < 0 || head.length() == LONGEST_HEAD) {
                throw new EOFException("a head of " + head.length() + " bytes (expected: a complete head)");
            }
            head.append((char) b);
        }
        return head.toString();
    }

    private static boolean ended(StringBuilder head) {
        int length = head.length();
        return length > 3
                && head.charAt(length - 1) == '\n'
                && head.charAt(length - 2) == '\r'
                && head.charAt(length - 3) == '\n';
    }

    /** Skips the body after a head, of the length in its Content-Length field. */
    void skipBody(String head) throws IOException {
        String length = value(head, "content-length");
        in.skipNBytes(length.isEmpty() ? 0 : Long.parseLong(length));
    }

    /** Returns the value of the first field with the name, given in lower case; empty for none. */
    static String value(String head, String name) {
        int offset = head.toLowerCase(Locale.ROOT).indexOf("\r\n" + name + ": ");
        int start = offset + name.length() + 4;
        return offset < 0 ? "" : head.substring(start, head.indexOf("\r\n", start));
    }

    static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
