package dev.postern.core.http2.client;

import dev.postern.core.transport.loop.Deadline;
import io.netty.channel.EventLoop;
import java.time.Duration;

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
}
