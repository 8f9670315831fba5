package dev.postern.load.worker;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Write mode in which a client of memcached sends {@code get}. */
public enum WriteMode {
    /** Three writes with Nagle's algorithm on: the second write waits for the acknowledgement of the first. */
    NAGLE(false, false, false),
    /** Three writes with {@code TCP_NODELAY}. */
    NO_DELAY(false, true, false),
    /** One write; Nagle's algorithm stays on, since it never delays a segment when no other one is unacknowledged. */
    ONE_WRITE(true, false, false),
    /** {@code version} with its response before each check as with {@link #NAGLE}. */
    VERSION(false, false, true);

    private final boolean whole;
    private final boolean noDelay;
    private final boolean version;

    WriteMode(boolean whole, boolean noDelay, boolean version) {
        this.whole = whole;
        this.noDelay = noDelay;
        this.version = version;
    }

    boolean noDelay() {
        return noDelay;
    }

    /** Returns whether {@code version} precedes each check. */
    boolean version() {
        return version;
    }

    /** Returns the bytes of each write of the command. */
    List<byte[]> writes(String key) {
        Stream<String> pieces = whole ? Stream.of("get " + key + "\r\n") : Stream.of("get ", key, "\r\n");
        return pieces.map(piece -> piece.getBytes(StandardCharsets.ISO_8859_1)).toList();
    }
}
