package dev.postern.core.http2.client;

import dev.postern.core.transport.loop.Deadline;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Watch over the silence of a server: sends the PINGs of a {@link ConnectionProbe}, and gives the connection up in two steps when one has
 * no response. One per connection; event loop only.
 */
final class SilenceWatch {

    private final ConnectionProbe probe;
    private final Deadline unanswered;
    private final Connection connection;
    private final long patience;
    private final long silence;
    private boolean shared;

    /** Connection that is watched. */
    interface Connection {

        /** Sends a PING. */
        void ping();

        /** Returns whether a stream is open. */
        boolean used();

        /** Signals that a PING has no response: no more requests are sent, and those that may be are sent again elsewhere. */
        void unresponsive();

        /** Signals the end of the patience. */
        void dead();
    }

    /**
     * @param patience time for the response to a PING
     * @param silence how much longer the streams under way may wait then
     */
    SilenceWatch(EventLoop loop, Connection connection, Duration patience, Duration silence) {
        this.connection = connection;
        this.patience = patience.toNanos();
        this.silence = silence.toNanos();
        this.unanswered = new Deadline(loop, this::unanswered);
        this.probe = new ConnectionProbe(unanswered.now());
    }

    /** Handles a request that is sent now. Returns the time, of the loop's ticker. */
    long requested() {
        long now = unanswered.now();
        if (probe.requested(now)) {
            ping(now);
        }
        return now;
    }

    /** Handles the passed time limit of a response to a request that was sent at {@code sentAt}. */
    void late(long sentAt) {
        long now = unanswered.now();
        if (probe.late(now, sentAt)) {
            ping(now);
        }
    }

    private void ping(long now) {
        shared = connection.used();
        connection.ping();
        unanswered.set(now, patience);
    }

    private void unanswered() {
        if (!shared || !connection.used()) {
            connection.dead();
            return;
        }
        shared = false;
        connection.unresponsive();
        unanswered.set(silence);
    }

    /** Handles bytes of the server. */
    void read() {
        probe.read(unanswered.now());
        unanswered.clear();
    }

    /** Handles HEADERS or DATA of the server. */
    void progressed() {
        probe.progressed();
    }

    /** Returns whether a response is late and none has come since. */
    boolean stalled() {
        return probe.stalled();
    }

    void stop() {
        unanswered.stop();
    }

    /**
     * Rule for the PINGs that find out whether a silent server still lives. At most two are sent until the server sends HEADERS or DATA, because
     * servers of gRPC close connections that send more. Plain object; all times are nanoseconds of one ticker.
     */
    static final class ConnectionProbe {

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
}
