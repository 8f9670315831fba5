package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/** Client that writes exactly the given bytes and reads responses one by one; each read ends after 30 s at the latest, unless told otherwise. */
public final class RawClient extends RawSocket {

    public RawClient(int port) {
        this("127.0.0.1", port);
    }

    /** @param from the client's own address, any of 127.0.0.0/8 */
    public RawClient(String from, int port) {
        super(connect(from, port));
    }

    private RawClient(Socket socket) {
        super(socket);
    }

    /** Creates a client over a connected socket. */
    public static RawClient over(Socket socket) {
        return new RawClient(socket);
    }

    private static Socket connect(String from, int port) {
        try {
            return new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0);
        } catch (IOException e) {
            throw new IllegalStateException("cannot connect to " + port, e);
        }
    }

    /** Lets each read last longer than usual, for a server that is stopped for a while. */
    public RawClient patience(Duration longest) {
        limitReads(longest);
        return this;
    }

    /** Response: status, head as text, body as text (ISO-8859-1) without chunk framing. */
    public record Response(int status, String head, String body) {

        /** Returns the value of the first field of that name, or an empty text. */
        public String field(String name) {
            return new TestOrigin.Received(head, new byte[0], 0).field(name);
        }

        /** Returns the values of all fields of that name. */
        public List<String> fields(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ": ";
            return head.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                    .map(line -> line.substring(prefix.length()))
                    .toList();
        }
    }

    public RawClient send(String bytes) {
        write(bytes);
        return this;
    }

    /** Closes the output. */
    public RawClient finish() {
        endOutput();
        return this;
    }

    /** Sends a GET with a Host, and reads the response. */
    public Response get(String path) {
        return send("GET " + path + " HTTP/1.1\r\nHost: site.example\r\n\r\n").read();
    }

    /** Reads the next response, including interim ones. */
    public Response read() {
        return read(status -> false);
    }

    /** Reads the next response, which has no body: a response to HEAD, or one that accepts a CONNECT. */
    public Response readHead() {
        return read(status -> true);
    }

    /** Reads the next response to a CONNECT: after 200 the tunnel begins, any other status has a body. */
    public Response readConnect() {
        return read(status -> status == 200);
    }

    /** Returns how the connection ends, after any remaining bytes: {@code closed} or {@code reset}. */
    public String readEnd() throws IOException {
        try {
            in.readAllBytes();
            return "closed";
        } catch (SocketException e) {
            return "reset";
        }
    }

    /** Waits until the gateway has reset the connection, without reading; fails after 30 s. */
    public void awaitReset() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() < end) {
            try {
                probe('\r'); // empty lines before a request line are ignored
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (IOException e) {
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        throw new IOException("not reset after 30 s");
    }

    private Response read(IntPredicate headOnly) {
        try {
            String head = readUntil("\r\n\r\n");
            int status = Integer.parseInt(head.substring(9, 12));
            boolean bodiless = headOnly.test(status) || status < 200 || status == 204 || status == 304;
            return new Response(status, head, bodiless ? "" : body(head));
        } catch (IOException e) {
            throw new IllegalStateException("cannot read", e);
        }
    }

    private String body(String head) throws IOException {
        String lower = head.toLowerCase(Locale.ROOT);
        int length = lower.indexOf("\r\ncontent-length: ");
        if (length >= 0) {
            int start = length + 18;
            int size = Integer.parseInt(lower.substring(start, lower.indexOf("\r\n", start)));
            byte[] bytes = in.readNBytes(size);
            if (bytes.length < size) {
                throw new IOException("body cut after " + bytes.length + " of " + size);
            }
            return new String(bytes, ISO_8859_1);
        }
        if (!lower.contains("\r\ntransfer-encoding: chunked")) {
            return new String(in.readAllBytes(), ISO_8859_1);
        }
        StringBuilder body = new StringBuilder();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.append(new String(in.readNBytes(size), ISO_8859_1));
            line();
        }
        line();
        return body.toString();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("ended inside a line: " + line);
            }
            line.append((char) b);
        }
        return line.toString().trim();
    }
}
