package dev.postern.core.upstream;

import dev.postern.core.http.Refusal;
import io.netty.channel.Channel;
import java.time.Duration;

/** One connection to a server that carries many exchanges at once. Event loop only. */
public interface UpstreamConnection {

    /** How many exchanges it may carry at once as things stand; 0 when it takes no new ones. */
    int streams();

    /** The wire of one exchange after the other, never of two at once; nothing goes out before something is sent by it. */
    UpstreamStream stream(UpstreamStream.Owner owner);

    /** Says goodbye and closes; what is under way is lost. */
    void close();

    /** Who keeps the connection. */
    interface Owner {

        /** The server has said what it takes: exchanges may be sent. Called once. */
        void ready();

        /** It may take more exchanges than before. */
        default void changed() {}

        /** It takes no new exchanges; those that it has go on. */
        void leaving();

        /**
         * The connection is gone, and every exchange that it had was told so before.
         *
         * @param refusal what those that waited for it are to be told when it never was ready
         */
        void gone(Refusal refusal);
    }

    /**
     * What a connection may take.
     *
     * @param name of the upstream, for the log
     * @param streams exchanges at once, however many the server offers
     * @param patience how long it may take to show that it is alive
     */
    record Terms(String name, int streams, Duration patience) {}

    /** Puts the protocol into the pipeline of a connected channel. */
    @FunctionalInterface
    interface Factory {

        UpstreamConnection open(Channel channel, Owner owner, Terms terms);
    }
}
