package dev.postern.auth.spend.memcached.spy;

import dev.postern.auth.spend.memcached.MemcachedConnection;
import dev.postern.auth.spend.memcached.MemcachedConnections;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;

/** Connections of spymemcached, shared by all loops; the key selects the connection. */
public record SpyConnections(int count, MemcachedEncoding encoding, Ticker ticker) implements MemcachedConnections {

    @Override
    public MemcachedConnection.Opener opener(int connection) {
        return (address, markedConnection) -> SpyMemcachedConnection.open(address, markedConnection, encoding, ticker);
    }

    @Override
    public int of(byte[] key, EventLoop loop) {
        return Math.floorMod(key[0], count);
    }
}
