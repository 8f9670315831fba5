package dev.postern.load.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Store memory: the bytes that a store reports as used. */
public final class StoreMemory {
    private static final Pattern MEMCACHED = Pattern.compile("STAT total_malloced (\\d+)");
    private static final Pattern REDIS = Pattern.compile("used_memory:(\\d+)");
    private static final Pattern EMBEDDED = Pattern.compile("embedded=(\\d+) of \\d+ KiB used");

    private StoreMemory() {}

    /** Returns the bytes in slabs, as {@code -m} counts them; free chunks of started pages are included. */
    public static long ofMemcached(int port) {
        return number(MEMCACHED, ask(port, "stats slabs"));
    }

    public static long ofRedis(int port) {
        return number(REDIS, ask(port, "INFO memory"));
    }

    /** @param stores the description that the embedded ledger gives of its stores */
    public static long ofEmbedded(String stores) {
        return number(EMBEDDED, stores) * 1024;
    }

    /** Returns the bytes of all files in a folder. */
    public static long ofFolder(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a command of one line to memcached or Redis and returns all that it responds before it closes the connection. */
    static String ask(int port, String command) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write((command + "\r\nquit\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long number(Pattern wanted, String text) {
        return Long.parseLong(Command.found(wanted, text).group(1));
    }
}
