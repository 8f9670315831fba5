package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.core.testing.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads the state of a memcached over a plain socket. */
final class MemcachedText {

    private MemcachedText() {}

    /** Returns the lines of a response up to the first that ends it. */
    static List<String> ask(ServerProcess server, String command) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write((command + "\r\n").getBytes(ISO_8859_1));
            BufferedReader reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
            List<String> lines = new ArrayList<>();
            while (lines.isEmpty() || !ends(lines.get(lines.size() - 1))) {
                lines.add(reader.readLine());
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stores that many items of about the size of a spend. */
    static void fill(ServerProcess server, int items) {
        StringBuilder sets = new StringBuilder(items * 70);
        for (int i = 0; i < items; i++) {
            sets.append(String.format(Locale.ROOT, "set junk:1:%022d 0 0 16 noreply\r\n0123456789abcdef\r\n", i));
        }
        ask(server, sets + "mg none v");
    }

    static boolean holds(ServerProcess server, String namespace, byte[] key) {
        return ask(server, "mg " + text(namespace, key) + " t").get(0).startsWith("HD");
    }

    /** Returns whether it stores the record of all servers' markers. */
    static boolean holdsRegister(ServerProcess server, String namespace) {
        return ask(server, "mg " + namespace + ":1:marks t").get(0).startsWith("HD");
    }

    static long secondsLeft(ServerProcess server, String namespace, byte[] key) {
        String line = ask(server, "mg " + text(namespace, key) + " t").get(0);
        return Long.parseLong(line.substring(line.indexOf('t') + 1));
    }

    /**
     * Returns the number of connections accepted since the start, with that of this call. The number of open ones would depend on when the
     * server notices a close.
     */
    static int acceptedConnections(ServerProcess server) {
        return (int) stat(server, "total_connections");
    }

    static long stat(ServerProcess server, String name) {
        return ask(server, "stats").stream()
                .filter(line -> line.startsWith("STAT " + name + " "))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    private static String text(String namespace, byte[] key) {
        return new String(new MemcachedEncoding(namespace, java.time.InstantSource.system()).of(key), ISO_8859_1);
    }

    private static boolean ends(String line) {
        return line == null
                || line.equals("END")
                || line.equals("OK")
                || line.equals("EN")
                || line.startsWith("HD")
                || line.startsWith("ERROR");
    }
}
