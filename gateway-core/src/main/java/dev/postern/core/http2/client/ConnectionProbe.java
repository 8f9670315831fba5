package dev.postern.core.http2.client;

import java.util.concurrent.TimeUnit;

/**
 * Rule for the PINGs that find out whether a silent server still lives. At most two are sent until the server sends HEADERS or DATA, because
 * servers of gRPC close connections that send more. Plain object; all times are nanoseconds of one ticker.
 */
final class ConnectionProbe {

    private static final long SILENCE = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_PINGS = 2;

    private long lastRead;
    private int pings;
    private boolean awaited;
    private boolean stalled;

    ConnectionProbe(long now) {
        lastRead = now;
    }

    /** Returns whether a PING is to be sent with the request that is sent now, after 5 s of silence. */
    boolean requested(long now) {
        return now - lastRead > SILENCE && ping();
    }

    /**
     * Returns whether a PING is to be sent because the time limit of a response has passed, without a byte for a second, or since the
     * request was sent.
     */
    boolean late(long now, long sentAt) {
        stalled = true;
        return (now - lastRead > PAUSE || lastRead - sentAt <= 0) && ping();
    }

    private boolean ping() {
        if (awaited || pings == MAX_PINGS) {
            return false;
        }
        pings++;
        awaited = true;
        return true;
    }

    /** Handles bytes of the server, the acknowledgement of a PING among them. */
    void read(long now) {
        lastRead = now;
        awaited = false;
    }

    /** Handles HEADERS or DATA. */
    void progressed() {
        pings = 0;
        stalled = false;
    }

    /** Returns whether a response is late and none has come since. */
    boolean stalled() {
        return stalled;
    }
}
