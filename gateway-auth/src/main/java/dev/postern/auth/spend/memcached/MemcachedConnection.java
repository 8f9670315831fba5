package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.memcached.command.MemcachedCommand;
import dev.postern.auth.spend.store.InFlightLimit;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Connection to one memcached server, of either client: a bounded pipeline of commands. Thread-safe unless stated otherwise. */
public interface MemcachedConnection extends InFlightLimit {

    /** Opener of connections. */
    @FunctionalInterface
    interface Opener {

        /** Starts to connect; expects a resolved address. On the ledger's thread. */
        MemcachedConnection open(InetSocketAddress address, MarkedConnection connection) throws IOException;
    }

    MarkedConnection connection();

    /**
     * Sends the {@code add} of a spend that has entered. One {@code gets} of the server's epoch marker follows in the same write for all
     * spends of the batch. On the loop of the spend. The spend is settled once, possibly before this method returns.
     */
    void spend(PendingAdd add);

    /** Sends a command. Returns false when the command can't be sent; then the command is never settled. */
    boolean send(MemcachedCommand command);

    /** Reads all responses that have arrived by now, then runs the continuation on the loop. */
    void readReplies(EventLoop loop, Runnable continuation);

    /** Returns false when this connection can't be used any more. */
    boolean alive();

    /** Returns TCP_NODELAY, read from the socket. Throws when not connected. */
    boolean tcpNoDelay() throws IOException;

    /** Returns TCP segments with data divided by commands, since the connection was opened; NaN where this is unknown. */
    default double segmentsPerCommand() {
        return Double.NaN;
    }

    void close();
}
