package dev.postern.auth.spend.memcached;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;

/** One connection to one server, by whichever client: a bounded pipeline of commands. Thread-safe unless it is said. */
interface MemcachedConnection {

    /** Commands of spends that may be on their way at once; more are refused. */
    int MAX_IN_FLIGHT = 4096;

    /** Opens connections. */
    @FunctionalInterface
    interface Opener {

        /** Begins to connect; expects a resolved address. On the ledger's thread. */
        MemcachedConnection open(InetSocketAddress address, MarkedConnection connection) throws IOException;
    }

    MarkedConnection connection();

    /** Takes a place for one spend; false when all are taken. Lost places come back with the next pipe. */
    boolean enter();

    void leave();

    int inFlight();

    /**
     * Sends the {@code add} of an attempt that has a place, and behind it, in the same piece, one {@code gets} of the server's mark for
     * all that go with it; on the attempt's loop. It is settled once, perhaps at once.
     */
    void spend(PendingAdd add);

    /** Takes a command; false when it can't be sent, and then nothing will be heard of it. */
    boolean send(MemcachedCommand command);

    /** Has all read that has arrived by now, and then calls back on that loop. */
    void look(EventLoop loop, Runnable continuation);

    /** False when it will never again be of use. */
    boolean alive();

    /** TCP_NODELAY as in force; throws where it is not connected. */
    boolean tcpNoDelay() throws IOException;

    /** Segments with data by commands, since it connected; NaN where that can't be told. */
    default double segmentsPerCommand() {
        return Double.NaN;
    }

    void close();
}
