package dev.postern.app.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.config.HostPort;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Output to a syslog server: messages of RFC 5424 over TCP, one a line (RFC 6587 section 3.4.2). TCP, so that lines without a server are
 * counted as lost. Confined to one thread.
 */
final class SyslogOutput implements LineOutput {

    /** Facility local0, severity informational. */
    private static final int PRIORITY = 16 * 8 + 6;

    private static final int CONNECT_MILLIS = 1000;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String UNKNOWN = "-";

    private final HostPort server;
    private final InstantSource clock;
    private final Ticker ticker;
    private @Nullable SocketChannel channel;
    private @Nullable IOException failure;
    private long failed;
    private String host = "";

    SyslogOutput(HostPort server, InstantSource clock, Ticker ticker) {
        this.server = server;
        this.clock = clock;
        this.ticker = ticker;
    }

    @Override
    public void write(List<String> lines) throws IOException {
        SocketChannel open = connected();
        try {
            ByteBuffer bytes = messages(lines);
            while (bytes.hasRemaining()) {
                open.write(bytes);
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private ByteBuffer messages(List<String> lines) {
        if (host.isEmpty()) {
            host = ownHost();
        }
        String head = "<" + PRIORITY + ">1 " + clock.instant().truncatedTo(ChronoUnit.MICROS) + " " + host + " postern "
                + ProcessHandle.current().pid() + " exchange - ";
        StringBuilder out = new StringBuilder();
        for (String line : lines) {
            out.append(head).append(line).append('\n');
        }
        return ByteBuffer.wrap(out.toString().getBytes(UTF_8));
    }

    private static String ownHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return UNKNOWN;
        }
    }

    private SocketChannel connected() throws IOException {
        SocketChannel current = channel;
        if (current != null && !ended(current)) {
            return current;
        }
        close();
        IOException last = failure;
        if (last != null && ticker.nanoTime() - failed < PAUSE_NANOS) {
            throw last;
        }
        try {
            failure = null;
            return connect();
        } catch (IOException e) {
            failure = e;
            failed = ticker.nanoTime();
            throw e;
        }
    }

    private SocketChannel connect() throws IOException {
        InetSocketAddress address = server.resolve();
        if (address.isUnresolved()) {
            throw new IOException("the name does not resolve");
        }
        SocketChannel opened = SocketChannel.open();
        try {
            opened.socket().connect(address, CONNECT_MILLIS);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        channel = opened;
        return opened;
    }

    /** Returns whether the server has closed the connection. Lines would get lost uncounted in it: its first write succeeds. */
    private static boolean ended(SocketChannel connection) {
        try {
            connection.configureBlocking(false);
            int read = connection.read(ByteBuffer.allocate(1));
            connection.configureBlocking(true);
            return read < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        SocketChannel current = channel;
        channel = null;
        if (current != null) {
            current.close();
        }
    }
}
