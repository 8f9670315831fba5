package dev.postern.core.upstream;

import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One address of an upstream and how it fares: after several failures in a row to connect it is left out for a while (passive ejection).
 * Thread-safe.
 */
public final class Endpoint {

    static final String UNIX = "unix:";
    private static final int FAILURES = 5;
    private static final long FIRST_BAN_NANOS = 1_000_000_000L;
    private static final int MOST_DOUBLINGS = 5;

    private final SocketAddress address;
    private final int index;
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile long bannedAt;
    private volatile long banNanos;

    Endpoint(int index, SocketAddress address) {
        this.index = index;
        this.address = address;
    }

    /** Parses {@code host:port}, {@code dns:host:port} or {@code unix:/path}; a name stays unresolved until each connect. */
    static SocketAddress parse(String text) {
        if (text.startsWith(UNIX)) {
            return new DomainSocketAddress(text.substring(UNIX.length()));
        }
        String plain = text.startsWith("dns:") ? text.substring(4) : text;
        int colon = plain.lastIndexOf(':');
        int port = -1;
        if (colon > 0) {
            try {
                port = Integer.parseInt(plain.substring(colon + 1));
            } catch (NumberFormatException e) {
                port = -1;
            }
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("endpoint: " + text + " (expected: host:port)");
        }
        String host = plain.substring(0, colon);
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        if (literal == null) {
            return InetSocketAddress.createUnresolved(host, port);
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(literal), port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("endpoint: " + text + " (expected: an address of 4 or 16 bytes)", e);
        }
    }

    SocketAddress address() {
        return address;
    }

    /** Its place in the list of its upstream. */
    int index() {
        return index;
    }

    /** Exchanges that it serves now. */
    int busy() {
        return busy.get();
    }

    void begun() {
        busy.getAndIncrement();
    }

    void over() {
        busy.getAndDecrement();
    }

    void connected() {
        failures.set(0);
        banNanos = 0;
    }

    void failed(long now) {
        int inRow = failures.incrementAndGet();
        if (inRow >= FAILURES) {
            int doublings = Math.min(inRow - FAILURES, MOST_DOUBLINGS);
            bannedAt = now;
            banNanos = FIRST_BAN_NANOS << doublings;
        }
    }

    /** Whether it is left out at that instant of {@link System#nanoTime}. */
    boolean banned(long now) {
        long ban = banNanos;
        return ban > 0 && now - bannedAt < ban;
    }
}
