package dev.postern.core.upstream.connect;

import dev.postern.core.http.Refusal;
import io.netty.channel.Channel;
import java.time.Duration;

/** Connection to an endpoint that carries several exchanges at once. Event loop only. */
public interface UpstreamConnection {

    /** Returns the number of exchanges that the connection may carry at once now; 0 when it takes no new ones. */
    int streams();

    /**
     * Returns a stream that carries one exchange after the other, never two at once; no stream is opened on the connection before something
     * is sent.
     */
    UpstreamStream stream(UpstreamStream.Owner owner);

    /** Returns whether a response is late and none has come since: another connection is preferred. */
    default boolean stalled() {
        return false;
    }

    /** Sends GOAWAY and closes; exchanges under way fail. */
    void close();

    /** Owner of the connection. */
    interface Owner {

        /** Signals that the endpoint announced its limits: exchanges may be sent. Called once. */
        void ready();

        /** Signals that the connection may take more exchanges than before. */
        default void changed() {}

        /** Signals that the connection takes no new exchanges; those under way continue. */
        void leaving();

        /** Signals that the endpoint does not respond: the connection takes no new exchanges. */
        default void unresponsive() {
            leaving();
        }

        /**
         * Signals that the connection is closed, after every exchange on it was notified.
         *
         * @param refusal for the exchanges that wait for the connection, when it never was ready
         */
        void gone(Refusal refusal);
    }

    /**
     * Limits of a connection.
     *
     * @param name of the upstream, for the log
     * @param streams exchanges at once, however many the endpoint allows
     * @param patience how long the endpoint may take to acknowledge a PING
     * @param silence how much longer the exchanges under way may wait then
     */
    record Terms(String name, int streams, Duration patience, Duration silence) {}

    /** Puts the protocol into the pipeline of a connected channel. */
    @FunctionalInterface
    interface Factory {

        UpstreamConnection open(Channel channel, Owner owner, Terms terms);
    }
}
