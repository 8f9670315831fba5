package dev.postern.auth.spend.memcached;

import io.netty.channel.EventLoop;

/** Connections per server: their number, their client, and the choice of the connection for a spend. Immutable, thread-safe. */
public interface MemcachedConnections {

    int count();

    MemcachedConnection.Opener opener(int connection);

    /** Returns the index of the connection for a token's key and the loop that spends the token. */
    int of(byte[] key, EventLoop loop);
}
