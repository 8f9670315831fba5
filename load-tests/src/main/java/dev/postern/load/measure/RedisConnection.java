package dev.postern.load.measure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Redis connection that blocks: sends a command in one write and reads its reply to the end. There is no client
 * library, so that the cost of a sequence of commands is the cost of the server and the socket alone.
 */
public final class RedisConnection implements AutoCloseable {
    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;
    private long commands;

    public RedisConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        out = socket.getOutputStream();
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Sends a command and returns its reply: a text, a {@link Long}, a list of replies, or null for a null reply. */
    public @Nullable Object call(String... words) throws IOException {
        commands++;
        out.write(command(words));
        return reply(in);
    }

    /** Returns the number of commands sent over this connection. */
    public long commands() {
        return commands;
    }

    static byte[] command(String... words) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
        bytes.writeBytes(("*" + words.length + "\r\n").getBytes(US_ASCII));
        for (String word : words) {
            bytes.writeBytes(("$" + word.length() + "\r\n" + word + "\r\n").getBytes(US_ASCII));
        }
        return bytes.toByteArray();
    }

    static @Nullable Object reply(InputStream in) throws IOException {
        String line = line(in);
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case ':' -> Long.valueOf(rest);
            case '$' -> text(in, Integer.parseInt(rest));
            case '*' -> replies(in, Integer.parseInt(rest));
            default -> throw new IOException("Redis: " + line + " (expected: no error)");
        };
    }

    private static @Nullable String text(InputStream in, int length) throws IOException {
        if (length < 0) {
            return null;
        }
        String text = new String(in.readNBytes(length), US_ASCII);
        in.skipNBytes(2);
        return text;
    }

    private static List<@Nullable Object> replies(InputStream in, int count) throws IOException {
        List<@Nullable Object> replies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            replies.add(reply(in));
        }
        return replies;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder(16);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("closed by Redis");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
